// Plans of contractions: which axes are the rows and columns of a matrix, what is packed, and what
// goes through its rows in chunks.

#include "tests/codegen/halide/PlanFixture.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {
const std::string token = "b: B, m: 512, p: S, f32", wide = "b: B, n: 640, p: S, f32";
const std::string layouts = "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[n, m]>], "
                            "result_layouts = [#axloom.layout<[b, p, n]>]";

std::string matmul(const std::string &x, const std::string &w, const std::string &y,
                   const std::string &over, const std::string &result = "%y") {
  return result + " = axloom.contract %x0, %x1 over [" + over + "] : T<" + x + ">, T<" + w +
         "> -> T<" + y + ">";
}

/// The plan of a product with so many columns.
class Columns : public Plan {
protected:
  MatrixPlan planned(const std::string &extent) {
    std::string weight = "m: 512, n: " + extent + ", f32", y = "b: B, n: " + extent + ", p: S, f32";
    KernelCase entry = kernelCase("block", {token, weight}, matmul(token, weight, y, "\"m\""), {y},
                                  {"B", "S"}, layouts);
    return plan(target.traits.brainFloatFactors ? withRoundedFactors(entry, 0) : entry)
        .matrices.at(0);
  }
};

// A block has at most as many columns as there are, and where they do not fit into one, blocks have
// as many panels as each other, or nearly.
TEST_F(Columns, AreSharedEvenlyByBlocks) {
  EXPECT_EQ(planned("80").blockColumns, 96);
  EXPECT_EQ(planned("2048").blockColumns, 512);
  EXPECT_EQ(planned("640").blockColumns, 320);
  EXPECT_EQ(planned("672").blockColumns, 336); // 512 are ten panels of 48
  EXPECT_EQ(planned("32000").blockColumns, 512);
}

// As many panels as eight vectors have, at most, so that strips fill the block.
TEST_F(Columns, OfABlockAreWholeStrips) {
  EXPECT_EQ(planned("2048").stripColumns, 128);
  EXPECT_EQ(planned("640").stripColumns, 64) << "five panels";
  EXPECT_EQ(planned("672").stripColumns, 48) << "seven";
  EXPECT_EQ(planned("80").stripColumns, 96) << "two";
}

// Panels are narrower where fewer columns are computed beyond the last one. Their tiles have more
// rows then.
TEST_F(Columns, ArePackedIntoPanelsThatLeaveLittleOver) {
  auto shape = [&](const std::string &extent) {
    MatrixPlan matrix = planned(extent);
    return std::pair(matrix.panel, matrix.tileRows);
  };
  EXPECT_EQ(shape("512"), std::pair(64L, 6L));
  EXPECT_EQ(shape("672"), std::pair(48L, 8L));  // 672, not 704
  EXPECT_EQ(shape("924"), std::pair(32L, 12L)); // 928, not 960
  EXPECT_EQ(shape("744"), std::pair(64L, 6L));  // 768 with any of them
  EXPECT_EQ(shape("8003"), std::pair(64L, 6L)); // 8016 would save too little
  EXPECT_EQ(shape("80"), std::pair(48L, 8L));
  EXPECT_EQ(shape("16"), std::pair(32L, 12L)); // never less than two vectors
  target = *Target::named("x86-64-avx2");
  EXPECT_EQ(shape("24"), std::pair(16L, 6L));
  target = *Target::named("x86-64-avx512-bf16");
  EXPECT_EQ(shape("656"), std::pair(32L, 8L)); // of bf16: fewer rows than of f32
}

// [b, p, m] x [n, m]: tokens are the rows, n the columns, and m lies innermost in x.
TEST_F(Plan, AProjectionIsAMatrixOfTokens) {
  KernelCase entry =
      kernelCase("projection", {token, "m: 512, n: 640, f32"},
                 matmul(token, "m: 512, n: 640, f32", wide, "\"m\""), {wide}, {"B", "S"}, layouts);
  KernelPlan matrix = plan(entry);
  EXPECT_EQ(matrix.family, "contraction");
  EXPECT_THAT(matrix.groups, ElementsAre(AxisList{"b", "p"}));
  ASSERT_THAT(matrix.matrices, SizeIs(1));
  EXPECT_EQ(matrix.matrices[0].row, (AxisList{"b", "p"}));
  EXPECT_EQ(matrix.matrices[0].column, AxisList{"n"});
  EXPECT_FALSE(matrix.matrices[0].swapped);
  EXPECT_EQ(matrix.matrices[0].left, MatrixPlan::Left::Direct);
  EXPECT_EQ(matrix.matrices[0].panel, target.traits.panel);

  CompiledKernel described = describe(kernel, matrix);
  ASSERT_THAT(described.operands, SizeIs(4));
  ASSERT_THAT(described.operands[0].dimensions, SizeIs(2));
  EXPECT_EQ(described.operands[0].dimensions[0].size.str(), "B*S");
  EXPECT_EQ(described.operands[1].access, Access::None);
  // The weight, packed: [groups of columns, m, column in group].
  EXPECT_EQ(described.operands[2].access, Access::Read);
  EXPECT_TRUE(described.operands[2].isScratch);
  ASSERT_THAT(described.operands[2].dimensions, SizeIs(3));
  EXPECT_EQ(described.operands[2].dimensions[0].divisor, target.traits.panel);
  EXPECT_EQ(described.operands[2].dimensions[1].size.str(), "512");
  EXPECT_EQ(described.operands[2].dimensions[2].size.getFactor(), target.traits.panel);
  EXPECT_EQ(described.operands[3].access, Access::Write);
  EXPECT_TRUE(described.operands[3].isResult);
  EXPECT_THAT(described.scalars, SizeIs(2));
  EXPECT_EQ(described.scalars[0].size.str(), "B");

  EXPECT_EQ(plan(entry, /*genericOnly=*/true).family, "generic");

  target = *Target::named("x86-64-avx512-bf16");
  EXPECT_EQ(plan(withRoundedFactors(entry, 0)).matrices.at(0).left, MatrixPlan::Left::Rounded);
}

/// Two contractions one after the other, the second a sum over tokens: x' (x w * z), which lies in
/// this order.
KernelCase twoContractions(const std::string &n, const std::string &order = "m, n") {
  const std::string weight = "m: 512, " + n + ", f32", hidden = "b: B, " + n + ", p: S, f32";
  return kernelCase("chunks", {token, weight, hidden},
                    "    %z = axloom.contract %x0, %x1 over [\"m\"] : T<" + token + ">, T<" +
                        weight + "> -> T<" + hidden + ">\n    %s = axloom.mul %z, %x2 : T<" +
                        hidden + ">, T<" + hidden + "> -> T<" + hidden +
                        ">\n    %y = axloom.contract %s, %x0 over [\"b\", \"p\"] : T<" + hidden +
                        ">, T<" + token + "> -> T<" + weight + ">",
                    {weight}, {"B", "S"},
                    "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[n, m]>, "
                    "#axloom.layout<[b, p, n]>], result_layouts = [#axloom.layout<[" +
                        order + "]>]");
}

// Chunks of tokens, over which the second contraction's result adds up: whole blocks.
TEST_F(Plan, SeveralContractionsGoThroughTheirRowsInChunks) {
  KernelPlan chunks = plan(twoContractions("n: 640"));
  ASSERT_EQ(chunks.family, "contraction");
  ASSERT_THAT(chunks.loops, SizeIs(1));
  EXPECT_EQ(chunks.loops[0].axes, (AxisList{"b", "p"}));
  EXPECT_FALSE(chunks.loops[0].parallel);
  EXPECT_EQ(chunks.loops[0].chunk, 576); // 12 blocks of 48
  EXPECT_THAT(chunks.accumulated, ElementsAre(0u));
}

/// The loss alone of a projection to classes.
KernelCase lossAlone(const std::string &w, const std::string &prologue, const std::string &weight) {
  const std::string x = "b: B, m: 64, p: S, f32", row = "b: B, p: S",
                    logits = "b: B, c: 640, p: S, f32", classes = "c: 640, m: 64, f32";
  return kernelCase(
      "loss", {x, w, row + ", i32", row + ", f32"},
      prologue + "    %z = axloom.contract %x0, " + weight + " over [\"m\"] : T<" + x + ">, T<" +
          classes + "> -> T<" + logits + ">\n    %l = axloom.cross_entropy %z, %x2 over \"c\" " +
          "smoothing 0.1 : T<" + logits + ">, T<" + row + ", i32> -> T<" + row +
          ", f32>\n    %s = axloom.mul %l, %x3 : T<" + row + ", f32>, T<" + row + ", f32> -> T<" +
          row + ", f32>\n    %y = axloom.reduce \"sum\" %s over [\"b\", \"p\"] : T<" + row +
          ", f32> -> T<f32>",
      {"f32"}, {"B", "S"},
      "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[c, m]>, #axloom.layout<[b, "
      "p]>, #axloom.layout<[b, p]>], result_layouts = [#axloom.layout<[]>]");
}

// So does a product of which only a sum over tokens is asked for: it is never there as a whole,
// also where its weights are packed by the kernel itself.
TEST_F(Plan, ALossAloneGoesThroughItsRowsInChunks) {
  const std::string narrow = "c: 640, m: 64, bf16", wide = "c: 640, m: 64, f32";
  for (const KernelCase &entry :
       {lossAlone(wide, "", "%x1"),
        lossAlone(narrow,
                  "    %w = axloom.cast %x1 to f32 : T<" + narrow + "> -> T<" + wide + ">\n",
                  "%w")}) {
    KernelPlan chunks = plan(entry);
    ASSERT_EQ(chunks.family, "contraction");
    ASSERT_THAT(chunks.loops, SizeIs(1));
    EXPECT_EQ(chunks.loops[0].axes, (AxisList{"b", "p"}));
    EXPECT_FALSE(chunks.loops[0].parallel);
    EXPECT_THAT(chunks.accumulated, ElementsAre(0u));
  }
}

/// The gradient of a weight, x' (dy * dy): a sum over tokens.
KernelCase weightGradient(const std::string &batch, const std::string &positions,
                          const std::string &columns = "640") {
  const std::string x = "b: " + batch + ", m: 512, p: " + positions + ", f32",
                    dy = "b: " + batch + ", n: " + columns + ", p: " + positions + ", f32",
                    dw = "m: 512, n: " + columns + ", f32";
  return kernelCase("gradient", {x, dy},
                    "    %z = axloom.mul %x1, %x1 : T<" + dy + ">, T<" + dy + "> -> T<" + dy +
                        ">\n    %y = axloom.contract %x0, %z over [\"b\", \"p\"] : T<" + x +
                        ">, T<" + dy + "> -> T<" + dw + ">",
                    {dw}, {"B", "S"},
                    "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[b, p, n]>], "
                    "result_layouts = [#axloom.layout<[m, n]>]");
}

// The gradient of a weight packs both operands: where caches should hold what is packed and it is
// no sum of two parts, so many terms at a time. Chunks are short enough, and so may be sums of a
// known length.
TEST_F(Plan, SumsThatPackBothOperandsGoByStretches) {
  auto stretch = [&](const std::string &batch, const std::string &positions,
                     const std::string &width = "640") {
    return plan(weightGradient(batch, positions, width)).matrices.at(0).stretch;
  };
  EXPECT_EQ(stretch("B", "S"), 0);
  target = *Target::named("x86-64-sapphire-rapids");
  EXPECT_EQ(stretch("B", "S"), 0) << "two parts instead";
  EXPECT_EQ(stretch("B", "S", "4096"), target.traits.packedTerms);
  target = *Target::named("x86-64-avx2");
  EXPECT_EQ(stretch("B", "S"), target.traits.packedTerms);
  EXPECT_EQ(stretch("40", "20"), target.traits.packedTerms);
  EXPECT_EQ(stretch("4", "20"), 0);
  EXPECT_EQ(plan(twoContractions("n: 640")).matrices.at(1).stretch, 0);
}

// Gradients of weights no larger than the target says are two sums, so that threads read what they
// have packed: not where they go through chunks of tokens, where only one operand is packed, or
// where there are few tokens.
TEST_F(Plan, SmallGradientsOfWeightsAreSumsOfTwoParts) {
  auto parts = [&](const KernelCase &entry, size_t index = 0) {
    return plan(entry).matrices.at(index).parts;
  };
  EXPECT_EQ(parts(weightGradient("B", "S", "128")), 2);
  EXPECT_EQ(parts(weightGradient("B", "S", "144")), 1);
  EXPECT_EQ(parts(weightGradient("16", "16", "128")), 2);
  EXPECT_EQ(parts(weightGradient("16", "15", "128")), 1);
  EXPECT_EQ(parts(twoContractions("n: 64"), 0), 1);
  EXPECT_EQ(parts(twoContractions("n: 64"), 1), 1);
  target = *Target::named("x86-64-avx512-bf16");
  EXPECT_EQ(parts(withRoundedFactors(weightGradient("B", "S", "128"), 0)), 2);
  target = *Target::named("x86-64-sapphire-rapids");
  EXPECT_EQ(parts(weightGradient("B", "S", "2048")), 2);
  EXPECT_EQ(parts(weightGradient("B", "S", "2080")), 1);
  EXPECT_EQ(plan(weightGradient("B", "S", "512")).matrices.at(0).blockColumns, 512);
  target = *Target::named("x86-64-avx2");
  EXPECT_EQ(parts(weightGradient("B", "S", "128")), 1);
  EXPECT_EQ(parts(weightGradient("4", "20", "128")), 1);
}

// The longer a sum, the fewer rows fit into the private cache beside a panel. Factors of bf16 take
// half of the room, chunks and stretches of a sum are short, and small blocks are not divided.
TEST_F(Plan, BlocksOfLongSumsHaveFewerRows) {
  auto projection = [](const std::string &terms) {
    std::string x = "b: B, m: " + terms + ", p: S, f32", weight = "m: " + terms + ", n: 640, f32";
    return kernelCase("block", {x, weight}, matmul(x, weight, wide, "\"m\""), {wide}, {"B", "S"},
                      layouts);
  };
  auto rows = [&](const KernelCase &entry) { return plan(entry).matrices.at(0).blockRows(); };
  EXPECT_EQ(rows(projection("512")), 48);
  EXPECT_EQ(rows(projection("2048")), 24);
  EXPECT_EQ(rows(weightGradient("4", "20")), 48);
  EXPECT_EQ(rows(weightGradient("B", "S")), 24);
  EXPECT_EQ(rows(twoContractions("n: 640")), 48);
  EXPECT_EQ(rows(projection("32000")), 48);
  EXPECT_EQ(rows(projection("4096")), 24);
  target = *Target::named("x86-64-avx512-bf16");
  EXPECT_EQ(rows(withRoundedFactors(projection("4096"), 0)), 48);
  target = *Target::named("x86-64-avx2");
  EXPECT_EQ(rows(projection("4096")), 12);
}

// Where caches should hold what is packed, each block of columns packs its own of a chunk: if the
// blocks are enough for threads.
TEST_F(Plan, BlocksOfColumnsPackTheirOwnPanelsOfAChunk) {
  EXPECT_FALSE(plan(twoContractions("n: 32000")).matrices.at(1).packsColumns);
  target = *Target::named("x86-64-avx2");
  EXPECT_TRUE(plan(twoContractions("n: 32000")).matrices.at(1).packsColumns);
  EXPECT_FALSE(plan(twoContractions("n: 640")).matrices.at(1).packsColumns);
  EXPECT_FALSE(plan(twoContractions("n: 32000")).matrices.at(0).packsColumns) << "reads a weight";
}

// Where its rows are many, a block has all columns, so that nobody else reads the rows it packs.
TEST_F(Plan, BlocksOfRowsPackTheirOwnOfAChunk) {
  target = *Target::named("x86-64-avx2");
  auto columns = [&](const KernelCase &entry) { return plan(entry).matrices.back().blockColumns; };
  EXPECT_EQ(columns(twoContractions("n: 32000", "n, m")), 512);
  EXPECT_EQ(columns(twoContractions("n: 640", "n, m")), 256) << "few rows";
  EXPECT_EQ(columns(twoContractions("n: 32000")), 256) << "many columns";
  EXPECT_EQ(columns(twoContractions("n: 8000")), 256) << "many blocks of columns";
  EXPECT_LT(columns(weightGradient("B", "S")), 640) << "no chunks";
}

// What goes on along whole rows, for a second result or sums, is divided among threads as a whole.
TEST_F(Plan, BlocksOfRowsAreStillInCacheForWhatComesNext) {
  const std::string product = "%y = axloom.contract %x0, %x1 over [\"m\"] : T<" + token +
                              ">, T<m: 512, n: 640, f32> -> T<" + wide + ">";
  const std::string square = product + "\n    %z = axloom.mul %y, %y : T<" + wide + ">, T<" + wide +
                             "> -> T<" + wide + ">";
  auto planOf = [&](const std::string &body, std::vector<std::string> results,
                    const std::string &yielded, const std::string &resultLayouts) {
    KernelCase entry =
        kernelCase("rows", {token, "m: 512, n: 640, f32"}, body, std::move(results), {"B", "S"},
                   "input_layouts = [#axloom.layout<[b, p, m]>, "
                   "#axloom.layout<[n, m]>], result_layouts = [" +
                       resultLayouts + "]");
    size_t yield = entry.text.find("axloom.yield ");
    entry.text.replace(yield, entry.text.find(" :", yield) - yield, "axloom.yield " + yielded);
    return plan(entry);
  };
  const std::string rows = "#axloom.layout<[b, p, n]>";
  EXPECT_THAT(planOf(product, {wide}, "%y", rows).loops, IsEmpty());
  EXPECT_THAT(planOf(square, {wide}, "%z", rows).loops, IsEmpty()) << "ends with its tiles";

  KernelPlan two = planOf(square, {wide, wide}, "%y, %z", rows + ", " + rows);
  ASSERT_THAT(two.loops, SizeIs(1));
  EXPECT_EQ(two.loops[0].axes, (AxisList{"b", "p"}));
  EXPECT_TRUE(two.loops[0].parallel);
  EXPECT_EQ(two.loops[0].chunk, two.matrices.at(0).blockRows());
  KernelPlan sum = planOf(product + "\n    %s = axloom.softmax %y over \"n\" : T<" + wide +
                              "> -> T<" + wide + ">",
                          {wide}, "%s", rows);
  EXPECT_THAT(sum.loops, SizeIs(1));
}
} // namespace
