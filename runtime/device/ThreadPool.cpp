#include "runtime/device/ThreadPool.h"

#include "runtime/device/HalideHooks.h"

#include <algorithm>
#include <chrono>
#include <immintrin.h>
#include <iterator>
#include <system_error>
#include <utility>

using namespace axloom::runtime;

namespace {

// How long a thread stays awake for what comes next: longer than between two kernels of a step, and
// too short to be noticed by who shares the machine.
constexpr std::chrono::microseconds awake{500};
constexpr int looks = 64; // at the counter, before another thread may have the processor

// Whose share of a loop this thread begins with. Callers have the first one, unless they are
// threads of the pool.
thread_local size_t ownShare = 0;

int runHere(void *context, halide_task_t task, int from, int count, uint8_t *closure) {
  int code = 0;
  for (int index = 0; index < count && code == 0; ++index)
    code = halide_do_task(context, task, from + index, closure);
  return code;
}

} // namespace

constinit thread_local const ThreadPool::Loop *ThreadPool::around = nullptr;

ThreadPool::~ThreadPool() { resize(1); }

int ThreadPool::resize(int threads) {
  std::lock_guard lock(resizing);
  wanted = size_t(threads - 1);
  announce();
  for (; workers.size() > wanted; workers.pop_back())
    workers.back().join();
  try {
    while (workers.size() < wanted)
      workers.emplace_back([this, worker = workers.size()] { work(worker); });
  } catch (const std::exception &) { // no more of them, or no memory
    wanted = workers.size();
  }
  return int(workers.size()) + 1;
}

// Those of a loop that nobody has taken.
void ThreadPool::runIterations(Loop &loop) {
  const Loop *before = std::exchange(around, &loop);
  for (int64_t index; (index = loop.left.take(ownShare)) >= 0;)
    if (int code = halide_do_task(loop.context, loop.task, int(loop.from + index), loop.closure)) {
      loop.failure = code;
      loop.left.clear();
    }
  around = before;
}

int ThreadPool::run(void *context, halide_task_t task, int from, int count, uint8_t *closure) {
  if (lacksWorkers && lacksWorkers.exchange(false))
    resize(int(wanted) + 1);
  size_t threads = wanted + 1;
  bool othersAreBusy = around && around->isEnough && !around->left.empty(ownShare);
  if (count <= 1 || threads == 1 || othersAreBusy)
    return runHere(context, task, from, count, closure);
  bool isEnough = count >= enoughIterations * int64_t(threads);
  Loop loop{context, task, closure, from, isEnough, IterationShares(size_t(count), threads)};
  open(loop);
  runIterations(loop);
  close(loop);
  for (;;) {
    uint32_t seen = changes;
    if (!hasHelpers(loop))
      return loop.failure;
    if (insideParallelLoop() || !helpOne())
      awaitChange(seen);
  }
}

// So that no other thread holds a mutex of which the child gets a copy.
void ThreadPool::beforeFork() {
  resizing.lock();
  mutex.lock();
}

void ThreadPool::afterForkInParent() {
  mutex.unlock();
  resizing.unlock();
}

void ThreadPool::afterForkInChild() {
  // Threads that are not there can be neither joined nor detached: nobody uses these ever again.
  static auto &gone = *new std::vector<std::thread>;
  std::ranges::move(workers, std::back_inserter(gone));
  workers.clear();
  top = nullptr; // loops of other threads, which are not there either
  lacksWorkers = true;
  afterForkInParent();
}

void ThreadPool::work(size_t worker) {
  ownShare = worker + 1;
  for (;;) {
    uint32_t seen = changes;
    if (worker >= wanted)
      return;
    if (!helpOne())
      awaitChange(seen);
  }
}

void ThreadPool::open(Loop &loop) {
  {
    std::lock_guard lock(mutex);
    loop.below = top;
    top = &loop;
  }
  announce();
}

void ThreadPool::close(Loop &loop) {
  std::lock_guard lock(mutex);
  Loop **place = &top;
  while (*place != &loop)
    place = &(*place)->below;
  *place = loop.below;
}

ThreadPool::Loop *ThreadPool::join() {
  std::lock_guard lock(mutex);
  Loop *loop = nullptr;
  for (Loop *each = top; each; each = each->below)
    if (!each->left.empty(ownShare))
      loop = each;
  if (loop)
    ++loop->helpers;
  return loop;
}

// The loop may be gone afterwards.
void ThreadPool::leave(Loop &loop) {
  bool last;
  {
    std::lock_guard lock(mutex);
    last = --loop.helpers == 0;
  }
  if (last)
    announce();
}

bool ThreadPool::hasHelpers(const Loop &loop) {
  std::lock_guard lock(mutex);
  return loop.helpers > 0;
}

// False if there is nothing to do.
bool ThreadPool::helpOne() {
  Loop *loop = join();
  if (!loop)
    return false;
  runIterations(*loop);
  leave(*loop);
  return true;
}

void ThreadPool::announce() {
  ++changes;
  changes.notify_all();
}

void ThreadPool::awaitChange(uint32_t seen) const {
  auto bedtime = std::chrono::steady_clock::now() + awake;
  do {
    for (int i = 0; i < looks; ++i) {
      if (changes.load(std::memory_order_relaxed) != seen)
        return;
      _mm_pause();
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < bedtime);
  changes.wait(seen);
}
