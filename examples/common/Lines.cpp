#include "examples/common/Lines.h"

#include "runtime/checkpoint/WholeFile.h"
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

// std::getline only says that there is no more.
void requireEnd() {
  const char *reason = std::ferror(stdin) ? std::strerror(errno)
                       : std::cin.bad()   ? "a line is too long for the memory"
                                          : nullptr;
  if (reason)
    throw axloom::runtime::Error(
        AXL_ERROR_FILE, axloom::runtime::concat("standard input cannot be read: ", reason));
}

} // namespace

void forEachLine(const std::function<void(const std::string &)> &use) {
  bool isFirst = true;
  for (std::string line; std::getline(std::cin, line); isFirst = false) {
    std::string_view text = isFirst ? axloom::runtime::withoutMark(line) : line;
    use(std::string(axloom::runtime::takeLine(text)));
  }
  requireEnd();
}

std::vector<std::string> readLines() {
  std::vector<std::string> lines;
  forEachLine([&](const std::string &line) { lines.push_back(line); });
  return lines;
}

void answerLines(const std::function<void(std::span<const std::string>)> &answer) {
  size_t group = isatty(STDIN_FILENO) ? 1 : linesAtATime;
  std::vector<std::string> lines;
  forEachLine([&](const std::string &line) {
    lines.push_back(line);
    if (lines.size() == group) {
      answer(lines);
      lines.clear();
    }
  });
  if (!lines.empty())
    answer(lines);
}

} // namespace example
