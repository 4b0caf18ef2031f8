// The one thread pool of a program, which runs the parallel loops of Halide's pipelines, too.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <type_traits>

namespace axloom::runtime {

// Installs our memory pool, threads and error handler in Halide's runtime and sets the number of
// threads, once. Throws AXL_ERROR_ARGUMENT if AXLOOM_THREADS is not a number.
void startHost();

// The most that are started.
constexpr int maximumThreads = 256;

// Processors whose time a control group may take, as containers set it, by its file cpu.max; the
// most that there are if it sets no limit.
int processorsOf(std::istream &quota);

// Threads in use.
int threadCount();

// Runs task(context, 0) ... task(context, count - 1) on all threads.
void parallelFor(int64_t count, void (*task)(void *context, int64_t index), void *context);

// The same with a callable, which must not throw.
template <class Task> void parallelFor(int64_t count, Task &&task) {
  using Callable = std::remove_reference_t<Task>;
  parallelFor(
      count, [](void *context, int64_t index) { (*static_cast<Callable *>(context))(index); },
      const_cast<void *>(static_cast<const void *>(&task)));
}

} // namespace axloom::runtime
