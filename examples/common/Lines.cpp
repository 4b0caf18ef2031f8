#include "examples/common/Lines.h"

#include "runtime/core/Error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace example {

namespace {

constexpr size_t linesAtATime = 256;

// std::cin only says that there is no more.
void requireEnd() {
  if (std::ferror(stdin))
    throw axloom::runtime::Error(
        AXL_ERROR_FILE,
        axloom::runtime::concat("standard input cannot be read: ", std::strerror(errno)));
}

} // namespace

std::vector<std::string> readLines() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);)
    lines.push_back(std::move(line));
  requireEnd();
  return lines;
}

void answerLines(const std::function<void(std::span<const std::string>)> &answer) {
  size_t group = isatty(STDIN_FILENO) ? 1 : linesAtATime;
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) {
    lines.push_back(std::move(line));
    if (lines.size() == group) {
      answer(lines);
      lines.clear();
    }
  }
  requireEnd();
  if (!lines.empty())
    answer(lines);
}

} // namespace example
