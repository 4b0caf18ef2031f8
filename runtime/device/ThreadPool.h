// Threads that share the iterations of parallel loops. Halide's own pool goes to sleep after some
// ten microseconds and has to be woken for the next kernel: of a training step that is 1 %, of
// decoding 5 %. Test: tests/runtime/ThreadPoolTest.cpp.
//
// 1. Who starts a loop puts it on top of a list.
// 2. Others join the lowest loop that has iterations left, the outermost of a caller. All take
//    iterations one by one, those of their own share first (`IterationShares`).
//    Inside a loop that has enough iterations for every thread, loops run where they are while some
//    of those are left: neighbouring iterations share lines of memory, which two threads would both
//    fetch. Loops that begin later, or inside a loop with fewer iterations, are shared, too, so
//    that all threads end at about the same time.
// 3. When none are left, the loop leaves the list, and who started it waits for those still in it.
//    Outside of all loops it helps others meanwhile; inside one it does not, or loops would pile up
//    on its stack.
// 4. Who waits watches a counter of what happens: for a while all the time, then asleep.
#pragma once

#include "runtime/device/IterationShares.h"

#include <HalideRuntime.h>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace axloom::runtime {

class ThreadPool {
public:
  // Iterations of a loop for each thread, so that all have enough to do.
  static constexpr int64_t enoughIterations = 8;

  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  // Uses `threads` threads, the caller's included, or as many as the system has for us; gives how
  // many. Not from inside a loop.
  int resize(int threads);

  // Runs task(context, index, closure) for each of `count` indices, the first being `from`, and
  // returns once all have ended. Of a task that fails, which is one that does not give 0, the
  // result is returned, and iterations that have not begun are left out. From any thread.
  int run(void *context, halide_task_t task, int from, int count, uint8_t *closure);

  // Around a fork, in its thread, which may not be inside a loop. The child has none of the workers
  // and starts its own for its first loop.
  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

private:
  struct Loop {
    void *context;
    halide_task_t task;
    uint8_t *closure;
    int from;
    bool isEnough; // for every thread
    IterationShares left;
    std::atomic<int> failure = 0;
    int helpers = 0;       // beside who started it; under the mutex
    Loop *below = nullptr; // the same
  };

  static void runIterations(Loop &loop);
  void open(Loop &loop);
  void close(Loop &loop);
  Loop *join();
  void leave(Loop &loop);
  bool hasHelpers(const Loop &loop);
  bool helpOne();
  void work(size_t worker);
  void announce();
  void awaitChange(uint32_t seen) const;

  static thread_local const Loop *around; // the innermost loop that this thread is in

  std::mutex mutex;
  Loop *top = nullptr; // of the open loops
  std::atomic<uint32_t> changes{0};

  std::mutex resizing;
  std::atomic<size_t> wanted{0}; // workers
  std::vector<std::thread> workers;
  std::atomic<bool> lacksWorkers{false}; // since a fork
};

} // namespace axloom::runtime
