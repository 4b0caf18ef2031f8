// Attention and its gradient in blocks of queries, as layers write them, against the interpreter;
// and what the family promises: the same bits for a sentence alone, in a batch, and with padding
// behind it.

#include "tests/codegen/halide/AttentionCases.h"

#include <gtest/gtest.h>
#include <limits>

using namespace axloom::test;
using namespace axloom::test::attention;
using axloom::ir::reference::Array;
using axloom::ir::reference::Sizes;

namespace {
KernelCheck &checks() {
  static KernelCheck all(cases());
  return all;
}

class AttentionTest : public testing::TestWithParam<size_t> {};

TEST_P(AttentionTest, MatchesTheInterpreter) {
  if (isMultipliedFast(checks().at(GetParam()))) {
    bool isGradient = llvm::StringRef(checks().at(GetParam()).name).contains("gradient");
    std::string family = isGradient ? "attention_gradient" : "attention";
    EXPECT_EQ(checks().runner(GetParam()).description().family, family);
  }
  checks().check(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, AttentionTest, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });

/// Tiles are smaller where vectors are shorter or registers fewer.
class AttentionTargetTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, AttentionTargetTest, testing::Values("x86-64", "x86-64-avx2"),
                         [](const auto &info) { return replaced(info.param, "-", "_"); });

TEST_P(AttentionTargetTest, MatchesTheInterpreter) {
  axloom::codegen::Target target = *axloom::codegen::Target::named(GetParam());
  if (!runsHere(target))
    GTEST_SKIP() << "this machine does not run " << GetParam();
  checkNamed(cases(),
             {"plain", "context_alone", "decoder", "gradient", "values_in_rows", "odd_depths",
              "odd_depths_gradient", "decoder_gradient", "odd_vectors", "odd_vectors_gradient",
              "odd_decoder", "odd_decoder_gradient", "sliding_decoder", "sliding_decoder_gradient"},
             target);
}

/// The first `size` indices along some axes.
Array cut(const Array &array, llvm::ArrayRef<axloom::ir::Axis> axes, const Sizes &sizes) {
  Array result(axes, sizes);
  axloom::ir::reference::Read read(array, result.space);
  axloom::ir::reference::Write write(result, result.space);
  result.space.forEach([&](axloom::ir::reference::Point point) { write[point] = read[point]; });
  return result;
}

size_t caseNamed(const std::string &name) {
  static const std::vector<KernelCase> all = cases();
  return llvm::find_if(all, [&](const KernelCase &entry) { return entry.name == name; }) -
         all.begin();
}

class AttentionBitsTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, AttentionBitsTest, testing::Values("", "_bf16"),
                         [](const auto &info) { return info.param.empty() ? "f32" : "bf16"; });

TEST_P(AttentionBitsTest, ASentenceAloneIsTheSameAsInAPaddedBatch) {
  const size_t index = caseNamed("bias_mask" + GetParam());
  Sizes batch{{{"B", 3}, {"S", 140}, {"T", 300}}, {}}, alone{{{"B", 1}, {"S", 20}, {"T", 131}}, {}};
  std::vector<Array> inputs = checks().randomInputs(index, batch);
  Array &visible = inputs[4]; // [b, k], k innermost
  for (size_t i = 0; i < visible.values.size(); ++i)
    visible.values[i] = i % 300 < 131;
  std::vector<Array> one;
  for (size_t i = 0; i < inputs.size(); ++i)
    one.push_back(cut(
        inputs[i], axloom::ir::tensorType(checks().kernel(index).getInputs()[i]).getAxes(), alone));
  std::vector<Array> all = checks().runner(index).run(inputs, batch),
                     single = checks().runner(index).run(one, alone);
  for (size_t r = 0; r < single.size(); ++r) {
    Array expected = cut(
        all[r], axloom::ir::tensorType(checks().kernel(index).getOutputs()[r]).getAxes(), alone);
    EXPECT_EQ(single[r].values, expected.values) << "result " << r;
  }
}

TEST_P(AttentionBitsTest, QueriesThatSeeNothingGiveZerosAndZeroGradients) {
  Sizes sizes{{{"B", 2}, {"S", 7}, {"T", 170}}, {}};
  auto expectZeros = [&](size_t index, const std::vector<Array> &inputs) {
    for (const Array &result : checks().runner(index).run(inputs, sizes))
      for (double value : result.values)
        ASSERT_EQ(value, 0.0);
  };
  size_t forward = caseNamed("bias_mask" + GetParam()), back = caseNamed("gradient" + GetParam());
  for (size_t index : {forward, back}) {
    std::vector<Array> inputs = checks().randomInputs(index, sizes);
    std::fill(inputs[4].values.begin(), inputs[4].values.end(), 0.0);
    expectZeros(index, inputs);
    for (double &value : inputs[0].values) // exponentials of hidden scores overflow
      value *= 1000;
    expectZeros(index, inputs);
  }
  // A bias hides keys as well as a mask does.
  for (double bias : {-std::numeric_limits<double>::infinity(), -3e38}) {
    std::vector<Array> inputs = checks().randomInputs(forward, sizes);
    std::fill(inputs[3].values.begin(), inputs[3].values.end(), bias);
    std::fill(inputs[4].values.begin(), inputs[4].values.end(), 1.0);
    expectZeros(forward, inputs);
  }
}

// Queries of two tensors: a block of them is a block of neither.
TEST(AttentionOfParts, QueriesOfTwoTensorsAreThoseOfBoth) {
  const std::string part = replaced(q, "q: S", "q: 80");
  std::string queries = "%q = axloom.concat %x0, %x1 along \"q\" : T<" + part + ">, T<" + part +
                        "> -> T<" + q + ">\n    ";
  auto whole = [](const std::string &text) { return replaced(text, "q: S", "q: 160"); };
  std::string inputs = "input_layouts = [" + layout("b, q, h, d") + ", " + qkvLayouts;
  std::string gradientTypes =
      " T<" + context + ">, T<" + normalizer + ">, T<" + context + "> -> " + qkvTypes;
  std::vector<KernelCase> parts = {
      kernelCase(
          "parts", {part, part, k, v},
          whole(queries + "%y:2 = axloom.attention %q, %x2, %x3" + axes + qkvTypes + results),
          {whole(context), whole(normalizer)}, {"B", "T"},
          inputs + "], result_layouts = [" + resultLayouts + "]"),
      kernelCase(
          "parts_gradient", {part, part, k, v, whole(context), whole(normalizer), whole(context)},
          whole(queries + "%y:3 = axloom.attention_gradient %q, %x2, %x3" +
                " output %x4 log2sumexp %x5 gradient %x6" + axes + qkvTypes + "," + gradientTypes),
          {whole(q), k, v}, {"B", "T"},
          inputs + ", " + layout("b, q, h, e") + ", " + layout("b, q, h") + ", " +
              layout("b, q, h, e") + "], result_layouts = [" + qkvLayouts + "]")};
  for (KernelCase &entry : parts)
    entry.tolerance = 1e-4;
  KernelCheck check(parts);
  for (size_t i = 0; i < parts.size(); ++i)
    check.check(i);
}

// Keys of two tensors: what a block knows of them in a sliding window begins in the middle of one.
TEST(AttentionOfParts, KeysOfTwoTensorsAreThoseOfBoth) {
  const std::string part = replaced(k, "k: T", "k: 80"), ids = "b: B, q: S, i32";
  auto whole = [](const std::string &text) {
    return replaced(replaced(replaced(text, "q: S", "q: 160"), "k: S", "k: 160"), "<S>", "<160>");
  };
  std::string keys = "%keys = axloom.concat %x1, %x2 along \"k\" : T<" + part + ">, T<" + part +
                     "> -> T<" + replaced(k, "k: T", "k: S") + ">\n    ";
  std::string prologue =
      replaced(replaced(slidingPrologue(), "%x3", "%x4"), "and %causal, %real", "and %seen, %real");
  prologue = prologue.substr(0, prologue.find("    %uniform"));
  std::string types = replaced(qkvTypes, "k: T", "k: S") + " mask T<b: B, k: S, q: S, i1>";
  KernelCase entry = kernelCase(
      "keys_of_parts", {whole(q), part, part, whole(replaced(v, "k: T", "k: S")), whole(ids)},
      whole(prologue + keys + "%y:2 = axloom.attention %x0, %keys, %x3 mask %mask" + axes + types +
            results),
      {whole(context), whole(normalizer)}, {"B"},
      "input_layouts = [" + layout("b, q, h, d") + ", " + layout("b, h, k, d") + ", " +
          layout("b, h, k, d") + ", " + layout("b, k, h, e") + ", " + layout("b, q") +
          "], result_layouts = [" + resultLayouts + "]");
  entry.tolerance = 1e-4;
  KernelCheck check({entry});
  check.check(0);
}
} // namespace
