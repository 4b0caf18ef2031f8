// Probabilities as a line of text.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace example {

// The largest `count` of them with their names: "games 97.3 %  video 1.1 %".
std::string likeliest(std::span<const float> probabilities, int count,
                      const std::function<std::string(size_t)> &name);

} // namespace example
