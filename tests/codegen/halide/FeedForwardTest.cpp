// Feed-forward blocks against the interpreter, at sizes that are no multiple of a tile and with
// more tokens than a block holds; and that a token gives the same bits however many others there
// are.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;

namespace {
const std::string tokens = "#axloom.layout<[b, p, m]>";

/// y = second(relu(x w1 + bias)), [b, p, m] -> [b, p, n]; `rest` goes on from %z.
KernelCase feedForward(const std::string &name, int hidden, const std::string &activation,
                       const std::string &rest, std::vector<std::string> results,
                       const std::string &resultLayouts) {
  std::string h = "h: " + std::to_string(hidden);
  std::string wide = "T<b: B, " + h + ", p: S, f32>", narrow = "T<b: B, m: 40, p: S, f32>";
  KernelCase entry = kernelCase(
      name,
      {"b: B, m: 40, p: S, f32", h + ", m: 40, f32", h + ", f32", h + ", m: 40, f32", "m: 40, f32"},
      "    %u = axloom.contract %x0, %x1 over [\"m\"] : " + narrow + ", T<" + h +
          ", m: 40, f32> -> " + wide + "\n    %s = axloom.add %u, %x2 : " + wide + ", T<" + h +
          ", f32> -> " + wide + "\n" + activation +
          "    %z = axloom.contract %a, %x3 over [\"h\"] : " + wide + ", T<" + h +
          ", m: 40, f32> -> " + narrow + "\n" + rest,
      std::move(results), {"B", "S"},
      "input_layouts = [" + tokens +
          ", #axloom.layout<[h, m]>, #axloom.layout<[h]>, #axloom.layout<[m, h]>, "
          "#axloom.layout<[m]>], result_layouts = [" +
          resultLayouts + "]");
  entry.tolerance = 1e-4;
  size_t place;
  while ((place = entry.text.find("WIDE")) != std::string::npos)
    entry.text.replace(place, 4, "!axloom.tensor<b: B, " + h + ", p: S, f32>");
  while ((place = entry.text.find("NARROW")) != std::string::npos)
    entry.text.replace(place, 6, "!axloom.tensor<b: B, m: 40, p: S, f32>");
  return entry;
}

const std::string relu = R"(
    %c = axloom.constant 0.0 : f32 : T<f32>
    %a = axloom.maximum %s, %c : WIDE, T<f32> -> WIDE
)";
const std::string gelu = R"(
    %c = axloom.constant 0.7 : f32 : T<f32>
    %v = axloom.mul %s, %c : WIDE, T<f32> -> WIDE
    %e = axloom.erf %v : WIDE -> WIDE
    %a = axloom.mul %s, %e : WIDE, WIDE -> WIDE
)";
const std::string none = "    %a = axloom.neg %s : WIDE -> WIDE\n";

const std::string bias = "    %y = axloom.add %z, %x4 : NARROW, T<m: 40, f32> -> NARROW\n";
const std::string compared = R"(
    %r = axloom.add %z, %x4 : NARROW, T<m: 40, f32> -> NARROW
    %d = axloom.constant 0.5 : f32 : T<f32>
    %p = axloom.maximum %r, %d : NARROW, T<f32> -> NARROW
    %i = axloom.compare "eq" %p, %r : NARROW, NARROW -> T<b: B, m: 40, p: S, i1>
    %y = axloom.select %i, %r, %d : T<b: B, m: 40, p: S, i1>, NARROW, T<f32> -> NARROW
)";
const std::string norm = R"(
    %r = axloom.add %z, %x0 : NARROW, NARROW -> NARROW
    %NORM = axloom.layer_norm %r scale %x4 over "m" epsilon 1.0e-5 : NARROW scale T<m: 40, f32> -> NARROW, T<b: B, p: S, f32>, T<b: B, p: S, f32>
)";

/// LayerNorm with one result used, or all three.
std::string normAs(const std::string &names) {
  std::string text = norm;
  text.replace(text.find("%NORM"), 5, names);
  return text;
}

/// All of them twice, the second time with factors of bf16. The hidden activations are such, up to
/// 16 here, where a step is 1/16; weights are below 1.
std::vector<KernelCase> inBothPrecisions(std::vector<KernelCase> all) {
  for (size_t i = 0, count = all.size(); i < count; ++i)
    all.push_back(withRoundedFactors(all[i], /*tolerance=*/3e-2));
  return all;
}

const std::vector<KernelCase> &cases() {
  const std::string narrow = "b: B, m: 40, p: S, f32";
  static const std::vector<KernelCase> all = inBothPrecisions({
      feedForward("relu", 72, relu, bias, {narrow}, tokens),
      feedForward("gelu", 33, gelu, bias, {narrow}, tokens),
      feedForward("compared", 72, relu, compared, {narrow}, tokens),
      // Tiles of the two products differ in height: blocks are whole tiles of both.
      feedForward("wide", 192, none, bias, {narrow}, tokens),
      feedForward("normalized", 72, relu, normAs("%y, %mean, %rstd"), {narrow}, tokens),
      feedForward("with_statistics", 72, relu, normAs("%y:3"),
                  {narrow, "b: B, p: S, f32", "b: B, p: S, f32"},
                  tokens + ", #axloom.layout<[b, p]>, #axloom.layout<[b, p]>"),
  });
  return all;
}

KernelCheck &checks() {
  static KernelCheck all(cases());
  return all;
}

class FeedForwardTest : public testing::TestWithParam<size_t> {};

TEST_P(FeedForwardTest, MatchesTheInterpreter) {
  if (isMultipliedFast(checks().at(GetParam()))) {
    EXPECT_EQ(checks().runner(GetParam()).description().family, "feed_forward");
  }
  checks().check(GetParam());
}

TEST_P(FeedForwardTest, TokensHaveTheSameBitsInAnyBatch) {
  ir::reference::Sizes many{{{"B", 41}, {"S", 67}}, {}}, one{{{"B", 1}, {"S", 5}}, {}};
  std::vector<ir::reference::Array> inputs = checks().randomInputs(GetParam(), many);
  ir::reference::Array all = checks().runner(GetParam()).run(inputs, many).front();
  std::vector<ir::reference::Array> few = checks().randomInputs(GetParam(), one);
  std::copy(inputs.begin() + 1, inputs.end(), few.begin() + 1);
  // x: [b, m, p], in the order of names: five tokens of the last element of the batch.
  for (int m = 0; m < 40; ++m)
    for (int p = 0; p < 5; ++p)
      few[0].values[m * 5 + p] = inputs[0].values[(40 * 40 + m) * 67 + p + 62];
  ir::reference::Array alone = checks().runner(GetParam()).run(few, one).front();
  for (int m = 0; m < 40; ++m)
    for (int p = 0; p < 5; ++p)
      ASSERT_EQ(alone.values[m * 5 + p], all.values[(40 * 40 + m) * 67 + p + 62]) << m << " " << p;
}

// The columns of both products are tokens then, and nothing is kept between the two.
TEST(FeedForwardTokens, InnermostTheyAreForAnotherFamily) {
  KernelCase entry = cases().front();
  for (size_t place; (place = entry.text.find(tokens)) != std::string::npos;)
    entry.text.replace(place, tokens.size(), "#axloom.layout<[m, b, p]>");
  KernelCheck check({entry});
  EXPECT_NE(check.runner(0).description().family, "feed_forward");
  check.check(0);
}

// Few tokens would fit into the cache between the two products, but twice as many of bf16.
TEST(FeedForwardWeights, ThatComeFromMemoryForFewTokensAreForAnotherFamily) {
  // 17 MB in f32, half of that in bf16.
  KernelCase wide = feedForward("very_wide", 53'000, relu, normAs("%y, %mean, %rstd"),
                                {"b: B, m: 40, p: S, f32"}, tokens);
  wide.sizes = {{{"B", 1}, {"S", 17}}, {{"B", 2}, {"S", 1}}};
  KernelCheck check({wide, withRoundedFactors(wide, /*tolerance=*/3e-2)});
  EXPECT_EQ(check.runner(0).description().family, "contraction");
  check.check(0);
  if (isMultipliedFast(check.at(1))) {
    EXPECT_EQ(check.runner(1).description().family, "feed_forward");
  }
  check.check(1);
}

INSTANTIATE_TEST_SUITE_P(All, FeedForwardTest, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });
} // namespace
