// What the programs say, and how they end when something goes wrong.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace example {

// Keeps the numbers of closed standard streams from files that are opened later, which would get
// the messages. What is read from or written to them fails as before.
inline void holdClosedStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

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
  std::string line = fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
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
