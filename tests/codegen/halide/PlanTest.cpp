// What plan each family makes: which family takes a kernel, which axes become one dimension, loops,
// matrices, and what host code is told of it.

#include "tests/codegen/halide/PlanFixture.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {
KernelCase feedForward(const std::string &width, const std::string &hidden) {
  std::string m = "m: " + width, h = "h: " + hidden, x = "b: B, " + m + ", p: S, f32",
              inner = "T<b: B, " + h + ", p: S, f32>";
  return kernelCase("ffn", {x, h + ", " + m + ", f32", h + ", " + m + ", f32"},
                    "%u = axloom.contract %x0, %x1 over [\"m\"] : T<" + x + ">, T<" + h + ", " + m +
                        ", f32> -> " + inner + "\n    %a = axloom.neg %u : " + inner + " -> " +
                        inner + "\n    %y = axloom.contract %a, %x2 over [\"h\"] : " + inner +
                        ", T<" + h + ", " + m + ", f32> -> T<" + x + ">",
                    {x}, {"B", "S"},
                    "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[h, m]>, "
                    "#axloom.layout<[m, h]>], result_layouts = [#axloom.layout<[b, p, m]>]");
}

// A larger private cache does not make larger blocks, of which threads would get unequal shares.
TEST_F(Plan, FeedForwardBlocksAreSmallEnoughForThreads) {
  auto tokens = [&](const char *name) {
    target = *Target::named(name);
    return plan(feedForward("512", "2048")).rowsInCache;
  };
  EXPECT_EQ(tokens("x86-64-avx512"), 60);
  EXPECT_EQ(tokens("x86-64-sapphire-rapids"), 60);
}

// Weights that the shared cache cannot hold are worth reading for many tokens at a time alone, of
// which fewer fit in between where there are more hidden activations.
TEST_F(Plan, FeedForwardBlocksHaveManyTokensOrWeightsInCache) {
  target = *Target::named("x86-64-avx512-bf16");
  auto family = [&](const std::string &width, const std::string &hidden) {
    return plan(withRoundedFactors(feedForward(width, hidden), 0)).family;
  };
  EXPECT_EQ(family("1024", "4096"), "feed_forward") << "weights of 16 MB";
  EXPECT_EQ(family("1536", "4096"), "contraction") << "24 MB, 24 tokens";
  EXPECT_EQ(family("3072", "2048"), "feed_forward") << "24 MB, 48 tokens";
}

/// x * x1, which lacks axes of x, with rows of `model` elements.
KernelCase product(const std::string &factor, const std::string &order,
                   const std::string &model = "256") {
  const std::string x = "b: B, m: " + model + ", p: S, f32";
  return kernelCase("product", {x, factor},
                    "%y = axloom.mul %x0, %x1 : T<" + x + ">, T<" + factor + "> -> T<" + x + ">",
                    {x}, {"B", "S"},
                    "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[" + order +
                        "]>], result_layouts = [#axloom.layout<[b, p, m]>]");
}

// Vectors run along axes that all tensors have, or none: no lane divides for a place of its own.
TEST_F(Plan, VectorsNeedNoDivisions) {
  EXPECT_THAT(plan(product("b: B, m: 256, p: S, f32", "b, p, m")).groups,
              ElementsAre(AxisList{"b", "p", "m"}));
  EXPECT_THAT(plan(product("b: B, p: S, f32", "b, p")).groups, ElementsAre(AxisList{"b", "p"}));
  EXPECT_THAT(plan(product("b: B, m: 256, f32", "b, m")).groups, ElementsAre(AxisList{"b", "p"}));
  EXPECT_THAT(plan(product("m: 256, p: S, f32", "p, m")).groups, ElementsAre(AxisList{"p", "m"}));
  // Along rows of the result no vector meets what p and b differ in.
  const std::string x = "b: B, m: 256, p: S, f32", w = "m: 256, p: S, f32", s = "b: B, p: S, f32";
  EXPECT_THAT(plan(kernelCase("rows", {x, w, s},
                              "%z = axloom.mul %x0, %x1 : T<" + x + ">, T<" + w + "> -> T<" + x +
                                  ">\n    %y = axloom.mul %z, %x2 : T<" + x + ">, T<" + s +
                                  "> -> T<" + x + ">",
                              {x}, {"B", "S"},
                              "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[p, m]>, "
                              "#axloom.layout<[b, p]>], result_layouts = "
                              "[#axloom.layout<[b, p, m]>]"))
                  .groups,
              ElementsAre(AxisList{"b", "p"}));
  // Rows shorter than a vector would leave most of it idle.
  EXPECT_THAT(plan(product("b: B, p: S, f32", "b, p", "4")).groups,
              ElementsAre(AxisList{"b", "p", "m"}));
}

// Pointwise chains: blocks of the outermost dimension, which is all there is if no op tells axes
// apart.
TEST_F(Plan, ChainsAreCutIntoBlocks) {
  const std::string type = "T<m: 512, n: 512, f32>";
  KernelPlan chain = plan(kernelCase("chain", {"m: 512, n: 512, f32"},
                                     "%y = axloom.tanh %x0 : " + type + " -> " + type,
                                     {"m: 512, n: 512, f32"}, {}));
  EXPECT_EQ(chain.family, "blocks");
  EXPECT_THAT(chain.groups, ElementsAre(AxisList{"m", "n"}));
  ASSERT_THAT(chain.loops, SizeIs(1));
  EXPECT_EQ(chain.loops[0].axes, (AxisList{"m", "n"}));
  EXPECT_LE(chain.loops[0].chunk * 4, target.traits.privateCacheBytes);
}

// Pointwise results of one shape are computed an element of each at a time; not where one of them
// is needed as a whole.
TEST_F(Plan, PointwiseResultsAreComputedTogether) {
  const std::string x = "b: B, n: 64, f32";
  auto twoResults = [&](const std::string &second) {
    return plan(kernelCase("two", {x, x},
                           "%r0 = axloom.add %x0, %x1 : T<" + x + ">, T<" + x + "> -> T<" + x +
                               ">\n%r1 = axloom." + second + " : T<" + x + "> -> T<" + x + ">",
                           {x, x}, {"B"}));
  };
  EXPECT_TRUE(twoResults("exp %r0").together);
  EXPECT_FALSE(twoResults("softmax %r0 over \"n\"").together);
  KernelCase entry = kernelCase("row", {x, "b: B, f32"},
                                "%r0 = axloom.exp %x0 : T<" + x + "> -> T<" + x +
                                    ">\n%r1 = axloom.exp %x1 : T<b: B, f32> -> T<b: B, f32>",
                                {x, "b: B, f32"}, {"B"});
  EXPECT_FALSE(plan(entry).together) << "results differ in their axes";
}

TEST_F(Plan, TablesOfALookupAreReadInRows) {
  const std::string table = "m: 8, v: 50, f32", rows = "b: B, m: 8, f32";
  auto readInRows = [&](const std::string &also, std::vector<std::string> results) {
    KernelCase entry =
        kernelCase("lookup", {table, "b: B, i32"},
                   "%r0 = axloom.gather %x0, %x1 along \"v\" : T<" + table +
                       ">, T<b: B, i32> -> T<" + rows + ">\n%r1 = axloom.neg " + also,
                   std::move(results), {"B"});
    KernelPlan made = plan(entry);
    return describe(kernel, made).operands[0].inRows;
  };
  EXPECT_TRUE(readInRows("%r0 : T<" + rows + "> -> T<" + rows + ">", {rows, rows}));
  EXPECT_FALSE(readInRows("%x0 : T<" + table + "> -> T<" + table + ">", {rows, table}));
}

// A softmax down the outermost dimension cannot be cut along it.
TEST_F(Plan, TheGenericFamilyTakesTheRest) {
  const std::string type = "T<m: 512, n: 512, f32>";
  KernelPlan rest = plan(kernelCase("softmax", {"m: 512, n: 512, f32"},
                                    "%y = axloom.softmax %x0 over \"m\" : " + type + " -> " + type,
                                    {"m: 512, n: 512, f32"}, {}));
  EXPECT_EQ(rest.family, "generic");
  EXPECT_THAT(rest.loops, IsEmpty());
  EXPECT_THAT(rest.groups, IsEmpty());
}
} // namespace
