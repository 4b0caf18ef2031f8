#include "examples/common/Likeliest.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace example {

std::string likeliest(std::span<const float> probabilities, int count,
                      const std::function<std::string(size_t)> &name) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return probabilities[i]; });
  order.resize(std::min(order.size(), size_t(count)));
  std::string text;
  for (size_t i : order)
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : "  ", name(i), 100 * probabilities[i]);
  return text;
}

} // namespace example
