// How errors speak of a model's parts.
#pragma once

#include "runtime/core/View.h"

#include <string>

namespace axloom::runtime {

// "2*B*S", "512"
std::string describe(const axl_model &model, const axl_extent &extent);

// "f32 [batch: B, model: 512]"
std::string describe(const axl_model &model, const axl_value &value);

// "f32 [4, 512]"
std::string describe(const AnyView &view);

// "train_step of model 'translate'"
std::string describe(const axl_model &model, const axl_function &function);

// " (model.cpp:12)", or nothing if the place is not known.
std::string place(const axl_model &model, int32_t location);

// A line for each of the first entries, and how many more there are: "\n  a\n  b\n  and 3 more".
std::string linesOf(std::span<const std::string> entries, size_t shown = 12);

// Names of a list, with commas: "a, b, c", or "none".
template <class Range, class NameOf> std::string nameList(const Range &range, NameOf &&nameOf) {
  std::string text;
  for (const auto &entry : range) {
    text += text.empty() ? "" : ", ";
    text += nameOf(entry);
  }
  return text.empty() ? "none" : text;
}

} // namespace axloom::runtime
