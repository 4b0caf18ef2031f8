//===- Transformer.h - The example's model at the size of a test -*- C++ -*-===//
//
// examples/translate/model.cpp, compiled in the test: 2 layers, d_model 32, d_v different from d_k.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <cstring>

namespace axloom::test {
/// Positions of a sentence, and tokens known, in smallTransformer().
inline constexpr int64_t smallLength = 24, smallVocabulary = 40;

/// The graph of the model; `options` ("dropout=0") change its settings.
std::string smallTransformer(const std::vector<std::string> &options = {});

/// A graph compiled and loaded into the test.
class CompiledModel {
public:
  /// Throws std::runtime_error with the compiler's errors.
  explicit CompiledModel(const std::string &graph, passes::PipelineOptions passes = {},
                         codegen::Target target = codegen::Target::host());

  const axl_model &tables() const { return *bundle; }

private:
  Graphs graphs;
  CompiledExecutor executor;
  const axl_model *bundle = nullptr;
};

/// smallTransformer() with all optimizations; compiled once.
const axl_model &compiledTransformer();

/// A tensor of token ids. Rows may differ in length: the rest is padding, up to `length`.
runtime::Tensor tokens(const std::vector<std::vector<int32_t>> &rows, int64_t length = 0);

/// Tokens drawn from a seed, none of them special.
std::vector<int32_t> randomSentence(size_t length, uint32_t seed);

/// Whether two runs of f32 numbers have the same bits.
inline bool sameBits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// The largest difference of two numbers, in units of the largest that is expected, or of `least`
/// if all are smaller. Not a number where one of them is none.
float distance(std::span<const float> actual, std::span<const float> expected, float least);
} // namespace axloom::test
