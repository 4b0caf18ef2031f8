// What is ragged in a way that no program can be made of is an error at the user's line.
#include "tests/support/CompiledExecutor.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;

namespace {

/// The errors of compiling a function whose text begins at line 4.
std::string errorsOf(const std::string &function) {
  Graphs graphs;
  CompiledExecutor compiled;
  auto module = graphs.parse("axloom.size @B max 8\naxloom.size @S max 8\n\n" + function);
  if (!module)
    return "does not parse: " + graphs.takeErrors();
  EXPECT_EQ(compiled.compile(*module), nullptr);
  return graphs.takeErrors();
}

} // namespace

TEST(RaggedErrors, OrdersMustBeginWithTheRaggedPair) {
  EXPECT_EQ(
      errorsOf("func.func @f(%x: !axloom.tensor<batch: B, position: S[batch], f32> {axloom.name = "
               "\"x\", axloom.order = [\"position\", \"batch\"]}) -> !axloom.tensor<batch: B, "
               "position: S[batch], f32> {\n"
               "  return %x : !axloom.tensor<batch: B, position: S[batch], f32>\n}\n"),
      "4:14: 'x' is ragged, so its axes must begin with 'batch' and 'position'; it declares "
      "[\"position\", \"batch\"]\n");
}

TEST(RaggedErrors, LengthsHaveANameOfTheirOwn) {
  EXPECT_EQ(
      errorsOf("func.func @f(%x: !axloom.tensor<batch: B, position: S[batch], f32>,\n"
               "  %n: !axloom.tensor<batch: B, i32> {axloom.name = \"S.lengths\"}) -> "
               "!axloom.tensor<batch: B, i32> {\n"
               "  return %n : !axloom.tensor<batch: B, i32>\n}\n"),
      "5:3: argument 'S.lengths' is there twice: 'S' is ragged in 'f', so its lengths come by "
      "that name; use another name\n");
}

TEST(RaggedErrors, VariablesOutliveTheLengths) {
  EXPECT_EQ(
      errorsOf("axloom.variable \"session\" @v : !axloom.tensor<batch: B, position: S[batch], f32> "
               "order [\"batch\", \"position\"] init {kind = \"zeros\"}\n"),
      "4:1: variable 'v' is ragged, but lengths come with a call and variables outlive it; give it "
      "the padded size\n");
}

TEST(RaggedErrors, LengthsAreOfOneSymbol) {
  EXPECT_EQ(
      errorsOf("func.func @f(%x: !axloom.tensor<batch: B, position: 2*S[batch], f32>) -> "
               "!axloom.tensor<batch: B, position: 2*S[batch], f32> {\n"
               "  %y = axloom.neg %x : <batch: B, position: 2*S[batch], f32> -> <batch: B, "
               "position: 2*S[batch], f32>\n"
               "  return %y : !axloom.tensor<batch: B, position: 2*S[batch], f32>\n}\n"),
      "4:1: axis 'position' has the ragged size 2*S[batch]; a program takes lengths of one symbol "
      "alone, such as S\n");
}

TEST(RaggedErrors, ResultsOfSeveralEntriesAreSums) {
  EXPECT_EQ(
      errorsOf("func.func @f(%x: !axloom.tensor<batch: B, position: S[batch], f32>) -> "
               "!axloom.tensor<f32> {\n"
               "  %i = axloom.iota \"position\" size <S[batch]> entries <B> : <batch: B, position: "
               "S[batch], i32>\n"
               "  %c = axloom.cast %i to f32 : <batch: B, position: S[batch], i32> -> <batch: B, "
               "position: S[batch], f32>\n"
               "  %m = axloom.mul %x, %c : <batch: B, position: S[batch], f32>, <batch: B, "
               "position: S[batch], f32> -> <batch: B, position: S[batch], f32>\n"
               "  %y = axloom.reduce \"max\" %m over [\"batch\", \"position\"] : <batch: B, "
               "position: S[batch], f32> -> <f32>\n"
               "  return %y : !axloom.tensor<f32>\n}\n"),
      "8:8: 'axloom.reduce' op is in a kernel that runs for one entry of axis 'batch' at a time, "
      "because its tensors are ragged; it may only add up along that axis\n");
}
