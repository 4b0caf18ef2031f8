#include "runtime/device/Threads.h"

#include "runtime/core/Error.h"
#include "runtime/device/HalideHooks.h"
#include "runtime/device/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <pthread.h>
#include <sched.h>

using namespace axloom::runtime;

namespace {

std::atomic<int> threadsInUse{0};

ThreadPool &pool() {
  static ThreadPool pool;
  [[maybe_unused]] static const int error = pthread_atfork(
      [] { pool.beforeFork(); }, [] { pool.afterForkInParent(); }, [] { pool.afterForkInChild(); });
  return pool;
}

int runLoop(void *context, halide_task_t task, int from, int count, uint8_t *closure) {
  return pool().run(context, task, from, count, closure);
}

// Processors that this process may run on.
int processorCount() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
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
                       "0 (all processors) to ", maximumThreads));
  return int(count);
}

void useThreads(int count) {
  installHalideHooks();
  halide_set_custom_do_par_for(runLoop);
  threadsInUse = pool().resize(std::min(count > 0 ? count : processorCount(), maximumThreads));
}

} // namespace

void axloom::runtime::startHost() {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (threadsInUse)
    return;
  useThreads(threadsFromEnvironment());
}

int axloom::runtime::threadCount() { return std::max(1, threadsInUse.load()); }

int axl_set_threads(int count) {
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
