// The algebra that type inference is made of: results, and whole messages.

#include "ir/Axes.h"
#include "ir/Build.h"
#include "tests/support/Graphs.h"

#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom::ir;
using namespace axloom::test;

namespace {
class Inference : public testing::Test {
protected:
  NamedTensorType type(llvm::StringRef text) { return graphs.type(text); }
  SizeAttr size(llvm::StringRef text) { return type(("x: " + text + ", f32").str()).sizeOf("x"); }
  std::string unionOfTwo(llvm::StringRef a, llvm::StringRef b) {
    FailureOr<SmallVector<Axis>> axes =
        unionOf(location, {type(a), type(b)}, {"on the left", "on the right"});
    if (failed(axes))
      return graphs.takeErrors();
    std::string text;
    llvm::raw_string_ostream(text) << NamedTensorType::get(*axes, type(a).getElementType());
    return text;
  }

  Graphs graphs;
  Location location = FileLineColLoc::get(&graphs.context(), "model.cpp", 7, 3);
};
} // namespace

TEST_F(Inference, UnionHasTheAxesOfBoth) {
  EXPECT_EQ(unionOfTwo("batch: B, f32", "model: 4, f32"),
            "!axloom.tensor<batch: B, model: 4, f32>");
  EXPECT_EQ(unionOfTwo("batch: B, f32", "f32"), "!axloom.tensor<batch: B, f32>");
}

TEST_F(Inference, AnOpenSizeGivesWay) {
  EXPECT_EQ(unionOfTwo("batch: ?, f32", "batch: B, f32"), "!axloom.tensor<batch: B, f32>");
  EXPECT_EQ(unionOfTwo("batch: B, f32", "batch: ?, f32"), "!axloom.tensor<batch: B, f32>");
}

TEST_F(Inference, UnionNamesAxisAndBothSizes) {
  EXPECT_EQ(unionOfTwo("model: 512, f32", "model: 256, f32"),
            "7:3: axis 'model' has size 512 on the left, 256 on the right\n");
}

TEST_F(Inference, UnionNamesTheOperandThatAnAxisCameFrom) {
  FailureOr<SmallVector<Axis>> axes =
      unionOf(location, {type("a: 1, f32"), type("b: 2, f32"), type("b: 3, f32")},
              {"here", "there", "yonder"});
  EXPECT_TRUE(failed(axes));
  EXPECT_EQ(graphs.takeErrors(), "7:3: axis 'b' has size 2 there, 3 yonder\n");
}

TEST_F(Inference, RequiredAxesAreNamedWithWhatIsThere) {
  EXPECT_EQ(*requireAxis(location, "b", type("a: 1, b: 2, f32"), "operand"), size("2"));
  EXPECT_TRUE(failed(requireAxis(location, "c", type("a: 1, b: 2, f32"), "operand")));
  EXPECT_EQ(graphs.takeErrors(), "7:3: the operand has no axis 'c'; it has [a, b]\n");
}

TEST_F(Inference, AxesThatMustNotBeThere) {
  EXPECT_TRUE(succeeded(requireNoAxis(location, "c", type("a: 1, b: 2, f32"), "operand")));
  EXPECT_TRUE(failed(requireNoAxis(location, "b", type("a: 1, b: 2, f32"), "operand")));
  EXPECT_EQ(graphs.takeErrors(), "7:3: the operand has an axis 'b' already; it has [a, b]\n");
}

TEST_F(Inference, AxesWithinASpace) {
  EXPECT_TRUE(succeeded(
      requireWithin(location, type("a: 1, f32"), "mask", type("a: 1, b: 2, f32"), "score tensor")));
  EXPECT_TRUE(failed(
      requireWithin(location, type("c: 1, f32"), "mask", type("a: 1, b: 2, f32"), "score tensor")));
  EXPECT_EQ(graphs.takeErrors(), "7:3: the score tensor has no axis 'c'; it has [a, b]\n");
  EXPECT_TRUE(failed(
      requireWithin(location, type("a: 3, f32"), "mask", type("a: 1, b: 2, f32"), "score tensor")));
  EXPECT_EQ(graphs.takeErrors(), "7:3: axis 'a' has size 3 in the mask, 1 in the score tensor\n");
}

TEST_F(Inference, ARaggedAxisStaysWithItsPartner) {
  NamedTensorType ragged = type("batch: B, model: 4, position: S[batch], f32");
  StringAttr batch = StringAttr::get(&graphs.context(), "batch");
  StringAttr position = StringAttr::get(&graphs.context(), "position");
  EXPECT_EQ(*dropAxes(location, ragged, {batch, position}), type("model: 4, f32"));
  EXPECT_TRUE(failed(dropAxes(location, ragged, batch)));
  EXPECT_EQ(graphs.takeErrors(), "7:3: axis 'position' is ragged over 'batch', which would be "
                                 "missing from the result\n");
}

TEST_F(Inference, WithoutALocationNothingIsSaid) {
  EXPECT_TRUE(failed(requireAxis(std::nullopt, "c", type("f32"), "operand")));
  EXPECT_EQ(graphs.takeErrors(), "");
}

TEST_F(Inference, DeclaredTypesMayLeaveSizesOpen) {
  EXPECT_TRUE(compatible({type("a: 3, f32")}, {type("a: ?, f32")}));
  EXPECT_TRUE(compatible({type("a: ?, f32")}, {type("a: B, f32")}));
  EXPECT_FALSE(compatible({type("a: 3, f32")}, {type("a: 4, f32")}));
  EXPECT_FALSE(compatible({type("a: 3, f32")}, {type("b: 3, f32")}));
  EXPECT_FALSE(compatible({type("a: 3, f32")}, {type("a: 3, i32")}));
  EXPECT_FALSE(compatible({type("f32")}, {}));
}

TEST_F(Inference, CreateReportsAMistakeAtTheLocation) {
  OwningOpRef<ModuleOp> module = graphs.parse(R"(
    func.func @f(%a: !axloom.tensor<model: 4, f32>, %b: !axloom.tensor<model: 8, f32>) { return })");
  func::FuncOp function = functionOf(*module, "f");
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  EXPECT_TRUE(
      failed(create<AddOp>(builder, location, function.getArgument(0), function.getArgument(1))));
  EXPECT_EQ(graphs.takeErrors(), "7:3: axis 'model' has size 4 on the left, 8 on the right\n");
  auto sum = create<AddOp>(builder, location, function.getArgument(0), function.getArgument(0));
  ASSERT_TRUE(succeeded(sum));
  EXPECT_EQ(sum->getType(), type("model: 4, f32"));
}

TEST_F(Inference, IotaOfARaggedAxisNeedsItsPartner) {
  OwningOpRef<ModuleOp> module = graphs.parse("func.func @f() { return }");
  OpBuilder builder = OpBuilder::atBlockBegin(&functionOf(*module, "f").front());
  SizeAttr ragged = type("batch: B, position: S[batch], f32").sizeOf("position");
  EXPECT_TRUE(failed(create<IotaOp>(builder, location, "position", ragged, SizeAttr())));
  EXPECT_EQ(graphs.takeErrors(), "7:3: axis 'position' is ragged over 'batch', which would be "
                                 "missing from the result\n");
}
