#include "runtime/device/Threads.h"

#include "runtime/core/Error.h"
#include "runtime/device/HalideHooks.h"
#include "runtime/device/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

std::mutex mutex; // of what sets the number of threads
std::atomic<int> threadsInUse{0};

ThreadPool &pool() {
  static ThreadPool pool;
  [[maybe_unused]] static const int error = pthread_atfork(
      [] {
        mutex.lock();
        pool.beforeFork();
      },
      [] {
        pool.afterForkInParent();
        mutex.unlock();
      },
      [] {
        pool.afterForkInChild();
        mutex.unlock();
      });
  return pool;
}

int runLoop(void *context, halide_task_t task, int from, int count, uint8_t *closure) {
  return pool().run(context, task, from, count, closure);
}

// Processors that this process may run on.
int processorCount() {
  cpu_set_t set;
  CPU_ZERO(&set); // too small for more than 1,024
  int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set)
                                                           : int(sysconf(_SC_NPROCESSORS_ONLN));
  std::ifstream quota("/sys/fs/cgroup/cpu.max");
  return std::clamp(count, 1, processorsOf(quota));
}

// 0 where AXLOOM_THREADS is not set.
int threadsFromEnvironment() {
  const char *text = std::getenv("AXLOOM_THREADS");
  if (!text || !*text)
    return 0;
  char *end;
  long count = std::strtol(text, &end, 10);
  if (*end || count < 0 || count > maximumThreads)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("AXLOOM_THREADS is '", text, "'; expected a number from ",
                       "0 (as many as there are processors) to ", maximumThreads));
  return int(count);
}

void useThreads(int count) { // with the mutex locked
  installHalideHooks();
  halide_set_custom_do_par_for(runLoop);
  threadsInUse = pool().resize(std::min(count > 0 ? count : processorCount(), maximumThreads));
}

} // namespace

int axloom::runtime::processorsOf(std::istream &quota) {
  double time, period;
  if (!(quota >> time >> period)) // "max 100000"
    return std::numeric_limits<int>::max();
  return std::max(1, int(std::ceil(time / period)));
}

void axloom::runtime::startHost() {
  std::lock_guard lock(mutex);
  if (threadsInUse)
    return;
  useThreads(threadsFromEnvironment());
}

int axloom::runtime::threadCount() { return std::max(1, threadsInUse.load()); }

int axl_set_threads(int count) {
  std::lock_guard lock(mutex);
  useThreads(count);
  return threadsInUse;
}

void axloom::runtime::parallelFor(int64_t count, void (*task)(void *context, int64_t index),
                                  void *context) {
  struct Work {
    void (*task)(void *, int64_t);
    void *context;
  } work{task, context};
  auto run = [](void *, int index, uint8_t *closure) {
    auto *work = reinterpret_cast<Work *>(closure);
    work->task(work->context, index);
    return 0;
  };
  // A block number beyond 2^31 would need more memory than any machine has.
  (void)pool().run(nullptr, run, 0, int(std::min<int64_t>(count, std::numeric_limits<int>::max())),
                   reinterpret_cast<uint8_t *>(&work));
}
