// What the programs say, and how they end when something goes wrong.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string>

namespace example {

// A line on standard output, visible at once even if that is a pipe.
template <class... Parts> void print(fmt::format_string<Parts...> format, Parts &&...parts) {
  std::string line = fmt::format(format, std::forward<Parts>(parts)...);
  std::puts(line.c_str());
  std::fflush(stdout);
}

// "84,856"
inline std::string grouped(int64_t count) {
  std::string digits = std::to_string(count);
  for (int64_t at = int64_t(digits.size()) - 3; at > 0 && digits[at - 1] != '-'; at -= 3)
    digits.insert(size_t(at), ",");
  return digits;
}

// Runs the body of a program; an exception becomes a sentence on standard error and status 1.
template <class Body> int guarded(const char *program, Body body) {
  try {
    return body();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: error: %s\n", program, error.what());
    return 1;
  }
}

} // namespace example
