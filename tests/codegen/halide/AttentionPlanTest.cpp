// What plans attention and its gradient get: loops, blocks of queries, and what a causal mask
// hides.

#include "tests/codegen/halide/PlanFixture.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {
// Attention: loops over batch, heads and blocks of queries. Backward, blocks add up.
TEST_F(Plan, AttentionLoopsOverBlocksOfQueries) {
  const std::string q = "b: B, d: 64, h: 8, q: S, f32", k = "b: B, d: 64, h: 8, k: T, f32",
                    v = "b: B, h: 8, k: T, v: 64, f32", y = "b: B, h: 8, q: S, v: 64, f32",
                    rows = "b: B, h: 8, q: S, f32";
  auto types = [](const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "T<" : ", T<") + name + ">";
    return text;
  };
  const std::string over = " depth \"d\" key \"k\" scale 0.125 : ";
  KernelPlan forward = plan(kernelCase("attention", {q, k, v},
                                       "%y:2 = axloom.attention %x0, %x1, %x2" + over +
                                           types({q, k, v}) + " -> " + types({y, rows}),
                                       {y, rows}, {"B", "S", "T"}));
  EXPECT_EQ(forward.family, "attention");
  ASSERT_THAT(forward.loops, SizeIs(3));
  EXPECT_EQ(forward.loops[0].axes, AxisList{"b"});
  EXPECT_EQ(forward.loops[1].axes, AxisList{"h"});
  EXPECT_EQ(forward.loops[2].axes, AxisList{"q"});
  EXPECT_GT(forward.loops[2].chunk, 1);
  EXPECT_TRUE(forward.loops[2].parallel);
  EXPECT_THAT(forward.accumulated, IsEmpty());
  CompiledKernel described = describe(kernel, forward);
  EXPECT_THAT(described.loops, SizeIs(3));
  EXPECT_THAT(described.operands[0].loopAxis, ElementsAre(0, 2, 3)) << "q: [b, d, h, q]";
  EXPECT_THAT(described.operands[1].loopAxis, ElementsAre(0, 2, -1)) << "k has no query";

  KernelPlan backward = plan(kernelCase(
      "gradient", {q, k, v, y, rows, y},
      "%y:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 "
      "gradient %x5" +
          over + types({q, k, v}) + ", " + types({y, rows, y}) + " -> " + types({q, k, v}),
      {q, k, v}, {"B", "S", "T"}));
  EXPECT_EQ(backward.family, "attention_gradient");
  EXPECT_FALSE(backward.loops.at(2).parallel);
  EXPECT_THAT(backward.accumulated, ElementsAre(1, 2)) << "dk and dv";

  // Sums are not rounded before they are complete: all queries at once.
  const std::string narrow = "b: B, d: 64, h: 8, k: T, bf16";
  KernelCase rounded = kernelCase(
      "rounded", {q, k, v, y, rows, y},
      "%g:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 "
      "gradient %x5" +
          over + types({q, k, v}) + ", " + types({y, rows, y}) + " -> " + types({q, k, v}) +
          "\n    %y = axloom.cast %g#1 to bf16 : T<" + k + "> -> T<" + narrow + ">",
      {narrow}, {"B", "S", "T"});
  KernelPlan whole = plan(rounded);
  EXPECT_EQ(whole.family, "attention_gradient");
  ASSERT_THAT(whole.loops, SizeIs(2));
  EXPECT_EQ(whole.loops[1].axes, AxisList{"h"});
  EXPECT_THAT(whole.accumulated, IsEmpty());
}

enum class Way { Forward, Back };

/// Attention or its gradient under the mask "k or q `predicate` q or k" and another one.
static KernelCase maskedAttention(Way way, const std::string &predicate, const std::string &early,
                                  const std::string &late) {
  const std::string q = "d: 64, q: S, f32", k = "d: 64, k: S, f32", v = "k: S, v: 64, f32",
                    y = "q: S, v: 64, f32", rows = "q: S, f32", real = "k: S, i1";
  const std::string mask = "T<k: S, q: S, i1>", types = "T<" + q + ">, T<" + k + ">, T<" + v + ">",
                    yTypes = "T<" + y + ">, T<" + rows + ">";
  const std::string body = "%k = axloom.iota \"k\" size <S> : T<k: S, i32>\n"
                           "%q = axloom.iota \"q\" size <S> : T<q: S, i32>\n"
                           "%m = axloom.compare \"" +
                           predicate + "\" %" + early + ", %" + late + " : T<" + early +
                           ": S, i32>, T<" + late + ": S, i32> -> " + mask +
                           "\n%mask = axloom.and %x3, %m : T<" + real + ">, " + mask + " -> " +
                           mask + "\n";
  const std::string over = " depth \"d\" key \"k\" scale 0.125 : " + types + " mask " + mask;
  if (way == Way::Forward)
    return kernelCase("forward", {q, k, v, real},
                      body + "%y:2 = axloom.attention %x0, %x1, %x2 mask %mask" + over + " -> " +
                          yTypes,
                      {y, rows}, {"S"});
  return kernelCase("back", {q, k, v, real, y, rows, y},
                    body +
                        "%y:3 = axloom.attention_gradient %x0, %x1, %x2 mask %mask output %x4 "
                        "log2sumexp %x5 gradient %x6" +
                        over + ", " + yTypes + ", T<" + y + "> -> " + types,
                    {q, k, v}, {"S"});
}

// Under a causal mask, alone or with another one, a block of queries knows no key behind its last
// query.
TEST_F(Plan, CausalAttentionEndsWithItsQueries) {
  for (auto [predicate, early, late] : {std::tuple("le", "k", "q"), std::tuple("lt", "k", "q"),
                                        std::tuple("ge", "q", "k"), std::tuple("gt", "q", "k")}) {
    KernelPlan causal = plan(maskedAttention(Way::Back, predicate, early, late));
    EXPECT_EQ(causal.family, "attention_gradient");
    EXPECT_EQ(causal.loops.back().prefix, "k") << predicate;
    CompiledKernel described = describe(kernel, causal);
    auto dk = llvm::find_if(described.operands, [](const Operand &operand) {
      return operand.isResult && operand.index == 1;
    });
    EXPECT_THAT(dk->loopStep, ElementsAre(-Operand::fromStart));
    EXPECT_THAT(described.operands[1].loopAxis, ElementsAre(-1)) << "k is there whole";
  }
  EXPECT_EQ(plan(maskedAttention(Way::Back, "ge", "k", "q")).loops.back().prefix, "")
      << "sees what is behind it";
  EXPECT_EQ(plan(maskedAttention(Way::Back, "ne", "k", "q")).loops.back().prefix, "");
}

/// Attention under a mask over queries and keys; `lines` make %mask of %q, %k, %ahead, %zero and
/// %n.
static KernelCase attentionUnder(const std::string &lines) {
  const std::string q = "d: 64, q: S, f32", k = "d: 64, k: S, f32", v = "k: S, v: 64, f32",
                    y = "q: S, v: 64, f32", rows = "q: S, f32";
  return kernelCase(
      "sliding", {q, k, v},
      "%k = axloom.iota \"k\" size <S> : T<k: S, i32>\n"
      "%q = axloom.iota \"q\" size <S> : T<q: S, i32>\n"
      "%ahead = axloom.sub %q, %k : T<q: S, i32>, T<k: S, i32> -> T<k: S, q: S, i32>\n"
      "%zero = axloom.constant 0 : i32 : T<i32>\n"
      "%n = axloom.constant 70 : i32 : T<i32>\n" +
          lines +
          "%y:2 = axloom.attention %x0, %x1, %x2 mask %mask depth \"d\" key \"k\" "
          "scale 0.125 : T<" +
          q + ">, T<" + k + ">, T<" + v + "> mask T<k: S, q: S, i1> -> T<" + y + ">, T<" + rows +
          ">\n",
      {y, rows}, {"S"});
}

/// A comparison that gives `name`.
static std::string compared(const std::string &name, const std::string &predicate,
                            const std::string &a, const std::string &aType, const std::string &b,
                            const std::string &bType) {
  return "%" + name + " = axloom.compare \"" + predicate + "\" %" + a + ", %" + b + " : T<" +
         aType + ">, T<" + bType + "> -> T<k: S, q: S, i1>\n";
}

// In a sliding window, a block of queries knows no key that its first query cannot see, in whole
// blocks; however the window is written.
TEST_F(Plan, ASlidingWindowLimitsWhatABlockKnows) {
  const std::string both = "k: S, q: S, i32", key = "k: S, i32", query = "q: S, i32",
                    causal = compared("causal", "ge", "ahead", both, "zero", "i32"),
                    joined = "%mask = axloom.and %causal, %near : T<k: S, q: S, i1>, T<k: S, q: S, "
                             "i1> -> T<k: S, q: S, i1>\n";
  const std::string behind = "%first = axloom.sub %q, %n : T<q: S, i32>, T<i32> -> T<q: S, i32>\n" +
                             compared("near", "gt", "k", key, "first", query),
                    end = "%end = axloom.add %k, %n : T<k: S, i32>, T<i32> -> T<k: S, i32>\n" +
                          compared("near", "lt", "q", query, "end", key);
  for (const std::string &near : {compared("near", "lt", "ahead", both, "n", "i32"), behind, end}) {
    KernelPlan sliding = plan(attentionUnder(causal + near + joined));
    EXPECT_EQ(sliding.loops.back().prefix, "k");
    EXPECT_EQ(sliding.loops.back().chunk, 32);
    EXPECT_EQ(sliding.loops.back().reach, 96) << "69 keys before it, in whole blocks";
  }
  std::string far =
      "%far = axloom.compare \"ge\" %ahead, %n : T<k: S, q: S, i32>, T<i32> -> T<k: S, "
      "q: S, i1>\n    %near = axloom.not %far : T<k: S, q: S, i1> -> T<k: S, q: S, "
      "i1>\n";
  EXPECT_EQ(plan(attentionUnder(causal + far + joined)).loops.back().reach, 96);
  EXPECT_EQ(
      plan(attentionUnder(causal + compared("near", "gt", "ahead", both, "n", "i32") + joined))
          .loops.back()
          .reach,
      Operand::fromStart)
      << "shows what is far";
  EXPECT_EQ(
      plan(attentionUnder(compared("mask", "lt", "ahead", both, "n", "i32"))).loops.back().prefix,
      "")
      << "shows what is behind a query";
}

// Blocks are larger where each rounds or copies keys and values and sees keys beyond its own, and
// forward, where they go through strips.
TEST_F(Plan, BlocksOfQueries) {
  target = *Target::named("x86-64-avx512-bf16");
  auto queries = [&](Way way, const std::string &predicate, bool rounded) {
    KernelCase entry = maskedAttention(way, predicate, "k", "q");
    return plan(rounded ? withRoundedFactors(entry, 0) : entry).loops.back().chunk;
  };
  EXPECT_EQ(queries(Way::Forward, "ne", false), 128);
  EXPECT_EQ(queries(Way::Forward, "ne", true), 256);
  EXPECT_EQ(queries(Way::Back, "ne", false), 64);
  EXPECT_EQ(queries(Way::Back, "ne", true), 256);
  for (Way way : {Way::Forward, Way::Back}) {
    EXPECT_EQ(queries(way, "le", false), 32);
    EXPECT_EQ(queries(way, "le", true), 64);
  }
}

// Keys end where the decoder's position says; of both tensors that have them a chunk sees all.
TEST_F(Plan, KeysOfASingleQueryEndAtItsPosition) {
  const std::string q = "b: B, d: 64, h: 8, f32", k = "b: B, d: 64, h: 8, k: T, f32",
                    v = "b: B, e: 64, h: 8, k: T, f32", y = "b: B, e: 64, h: 8, f32",
                    rows = "b: B, h: 8, f32";
  auto attention = [&](const std::string &comparison) {
    return plan(kernelCase(
        "attention", {q, k, v, "b: B, i32"},
        "%i = axloom.iota \"k\" size <T> : T<k: T, i32>\n    %m = axloom.compare " + comparison +
            " -> T<b: B, k: T, i1>\n    %y, %l = axloom.attention %x0, %x1, %x2 mask %m depth "
            "\"d\" key \"k\" scale 0.125 : T<" +
            q + ">, T<" + k + ">, T<" + v + "> mask T<b: B, k: T, i1> -> T<" + y + ">, T<" + rows +
            ">",
        {y}, {"B", "T"}));
  };
  KernelPlan inclusive = attention("\"le\" %i, %x3 : T<k: T, i32>, T<b: B, i32>");
  EXPECT_EQ(inclusive.family, "single_query");
  ASSERT_THAT(inclusive.loops, SizeIs(2));
  ASSERT_TRUE(inclusive.prefix);
  EXPECT_EQ(inclusive.prefix->axis, "k");
  EXPECT_EQ(inclusive.prefix->input, 3u);
  EXPECT_TRUE(inclusive.prefix->isIncluded);
  EXPECT_TRUE(inclusive.whole.count({1, "k"}) && inclusive.whole.count({2, "k"}));
  KernelPlan exclusive = attention("\"gt\" %x3, %i : T<b: B, i32>, T<k: T, i32>");
  ASSERT_TRUE(exclusive.prefix);
  EXPECT_FALSE(exclusive.prefix->isIncluded);
  EXPECT_FALSE(attention("\"ge\" %i, %x3 : T<k: T, i32>, T<b: B, i32>").prefix)
      << "keys before the position are hidden";
}

// Blocks of queries know no key behind a length, either; adjoints of those keys are zeros that a
// kernel has to write.
TEST_F(Plan, KeysOfBlocksEndAtALengthForward) {
  const std::string q = "b: B, d: 64, q: S, f32", k = "b: B, d: 64, k: T, f32",
                    v = "b: B, e: 64, k: T, f32", y = "b: B, e: 64, q: S, f32",
                    rows = "b: B, q: S, f32", mask = "T<b: B, k: T, i1>";
  const std::string shown = "%i = axloom.iota \"k\" size <T> : T<k: T, i32>\n    %m = "
                            "axloom.compare \"lt\" %i, %x3 : T<k: T, i32>, T<b: B, i32> -> " +
                            mask + "\n    ";
  const std::string over =
      " depth \"d\" key \"k\" scale 0.125 : T<" + q + ">, T<" + k + ">, T<" + v + "> mask " + mask;
  KernelPlan forward = plan(kernelCase("forward", {q, k, v, "b: B, i32"},
                                       shown + "%y, %l = axloom.attention %x0, %x1, %x2 mask %m" +
                                           over + " -> T<" + y + ">, T<" + rows + ">",
                                       {y}, {"B", "S", "T"}));
  EXPECT_EQ(forward.family, "attention");
  ASSERT_TRUE(forward.prefix);
  EXPECT_EQ(forward.prefix->input, 3u);
  const std::string each = "b: B, q: S, i32", shownToEach = "T<b: B, k: T, q: S, i1>";
  KernelPlan limits = plan(kernelCase(
      "limits", {q, k, v, each},
      "%i = axloom.iota \"k\" size <T> : T<k: T, i32>\n    %m = axloom.compare \"lt\" %i, %x3 : "
      "T<k: "
      "T, i32>, T<" +
          each + "> -> " + shownToEach + "\n    %y, %l = axloom.attention %x0, %x1, %x2 mask %m" +
          replaced(over, mask, shownToEach) + " -> T<" + y + ">, T<" + rows + ">",
      {y}, {"B", "S", "T"}));
  EXPECT_EQ(limits.family, "attention");
  EXPECT_FALSE(limits.prefix) << "each query has a limit of its own";
  KernelPlan back =
      plan(kernelCase("back", {q, k, v, "b: B, i32", y, rows, y},
                      shown +
                          "%y:3 = axloom.attention_gradient %x0, %x1, %x2 mask %m output %x4 "
                          "log2sumexp %x5 gradient %x6" +
                          over + ", T<" + y + ">, T<" + rows + ">, T<" + y + "> -> T<" + q +
                          ">, T<" + k + ">, T<" + v + ">",
                      {q, k, v}, {"B", "S", "T"}));
  EXPECT_EQ(back.family, "attention_gradient");
  EXPECT_FALSE(back.prefix);
}

} // namespace
