// What the programs say, and how they end when something goes wrong.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <string>

namespace example {

// What kept standard output from being written first; 0 if nothing has.
inline int outputError = 0;

inline void flushOutput() {
  // A long line is written by the time of the flush, which then has nothing to fail at.
  bool failed = std::fflush(stdout) != 0 || std::ferror(stdout);
  if (failed && outputError == 0)
    outputError = errno;
}

// A line on standard output, visible at once even if that is a pipe.
template <class... Parts> void print(fmt::format_string<Parts...> format, Parts &&...parts) {
  std::string line = fmt::format(format, std::forward<Parts>(parts)...);
  std::puts(line.c_str());
  flushOutput();
}

// Runs the body of a program; an exception becomes a sentence on standard error and status 1, and
// so does output that could not be written.
template <class Body> int guarded(const char *program, Body body) {
  try {
    int status = body();
    flushOutput();
    if (outputError == 0)
      return status;
    std::fprintf(stderr, "%s: error: standard output cannot be written: %s\n", program,
                 std::strerror(outputError));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: error: %s\n", program, error.what());
  }
  return 1;
}

} // namespace example
