// Standard input as lines of text, for programs that give an answer to each. A byte order mark at
// its start and the carriage returns of Windows are no part of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace example {

// All lines. Throws Error (AXL_ERROR_FILE) where standard input cannot be read to its end.
std::vector<std::string> readLines();

// Calls `use` with each line, as soon as it is there. Throws as above.
void forEachLine(const std::function<void(const std::string &)> &use);

// Calls `answer` with the lines in order: on a terminal with each at once, so that one who types
// need not wait; otherwise with many, which a model answers faster together. Throws as above.
void answerLines(const std::function<void(std::span<const std::string>)> &answer);

} // namespace example
