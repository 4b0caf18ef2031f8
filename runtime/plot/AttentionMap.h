// Attention weights as a picture: a panel for each head, a row of panels for each layer.
//
//   auto results = model.run("attention", {{"tokens", tokens}});
//   writePicture(attentionMap("Self-attention", {units, units}, results), "attention.png");
//
// Test: tests/runtime/AttentionMapTest.cpp
#pragma once

#include "runtime/core/Tensor.h"
#include "runtime/plot/HeatMap.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace axloom::runtime {

struct AttentionTokens {
  std::vector<std::string> queries, keys;
};

// The layers are those of the results whose names begin with `prefix`, in their order: each [head,
// query, key], or [1, head, query, key] for a batch of one text, with as many queries and keys as
// there are tokens, and as many heads as the first. Throws AXL_ERROR_ARGUMENT where there is none
// or one does not fit.
HeatMap attentionMap(const std::string &title, const AttentionTokens &tokens,
                     std::span<const NamedTensor> results, std::string_view prefix = "");

} // namespace axloom::runtime
