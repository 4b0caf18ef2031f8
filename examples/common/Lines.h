// Standard input as lines of text, for programs that give an answer to each.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace example {

// Calls `answer` with the lines in order: on a terminal with each at once, so that one who types
// need not wait; otherwise with many, which a model answers faster together.
void answerLines(const std::function<void(std::span<const std::string>)> &answer);

} // namespace example
