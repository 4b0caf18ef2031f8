// What each thread did when: calls of functions and launches of kernels become slices in a file, in
// the format that Perfetto (ui.perfetto.dev) and Chrome read: one for each call, and one for each
// thread of each launch, from the thread's first chunk to its last. The environment variable
// AXLOOM_TRACE names a file for the whole program.
//
// Test: tests/runtime/TraceTest.cpp
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace axloom::runtime {

using TraceClock = std::chrono::steady_clock;

class Trace {
public:
  // From here on, what models do goes to a file; what forked children do does not. Throws
  // AXL_ERROR_FILE if it cannot be written.
  static void start(const std::string &path);
  // Ends the file; so does the end of the program. Calls in progress leave no slice.
  static void stop();
  // Starts the trace that the environment asks for, once.
  static void startFromEnvironment();
  // Null while there is none.
  static Trace *active();

  // Throws AXL_ERROR_FILE.
  explicit Trace(const std::string &path);
  ~Trace(); // ends the file; without that, too, what was written can be read

  // A slice of the calling thread's, or of another's. `details` is a JSON object.
  void slice(const char *name, TraceClock::time_point begin, TraceClock::time_point end,
             const std::string &details = "{}");
  void slice(const char *name, int thread, TraceClock::time_point begin, TraceClock::time_point end,
             const std::string &details);

private:
  void beforeFork();
  void leaveToParent();
  void end();

  std::mutex mutex;
  FILE *file;
  int64_t slices = 0;
  TraceClock::time_point opened;
};

// A call of a function, from here to the end of the block.
class TracedCall {
public:
  explicit TracedCall(const char *name);
  ~TracedCall();
  TracedCall(const TracedCall &) = delete;
  TracedCall &operator=(const TracedCall &) = delete;

private:
  Trace *trace;
  const char *name;
  TraceClock::time_point begin;
};

// A launch of a kernel, whose chunks run on any threads.
class TracedLaunch {
public:
  explicit TracedLaunch(const char *kernel) : trace(Trace::active()), kernel(kernel) {}
  ~TracedLaunch();
  TracedLaunch(const TracedLaunch &) = delete;
  TracedLaunch &operator=(const TracedLaunch &) = delete;

  // Runs a part of the launch.
  template <class Part> void run(Part &&part) {
    if (!trace)
      return part();
    auto begin = TraceClock::now();
    part();
    add(begin, TraceClock::now());
  }

private:
  // What one thread did of it.
  struct Share {
    int thread;
    TraceClock::time_point begin, end;
    TraceClock::duration busy;
    int64_t chunks;
  };
  void add(TraceClock::time_point begin, TraceClock::time_point end);

  Trace *trace;
  const char *kernel;
  std::mutex mutex;
  std::vector<Share> shares;
};

} // namespace axloom::runtime
