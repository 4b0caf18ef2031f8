// The algebra of sizes, and what types know about their axes.

#include "tests/support/Graphs.h"

#include <gtest/gtest.h>

using namespace axloom::ir;
using namespace axloom::test;

namespace {
class Types : public testing::Test {
protected:
  SizeAttr size(llvm::StringRef text) {
    std::string partner = text.contains('[') ? "batch: B, " : "";
    return graphs.type(partner + ("x: " + text + ", f32").str()).sizeOf("x");
  }
  std::string product(llvm::StringRef a, llvm::StringRef b) { return size(a).times(size(b)).str(); }
  std::string quotient(llvm::StringRef a, llvm::StringRef b) {
    SizeAttr result = size(a).dividedBy(size(b));
    return result ? result.str() : "none";
  }

  Graphs graphs;
};
} // namespace

TEST_F(Types, EqualSetsOfAxesAreEqualTypes) {
  EXPECT_EQ(graphs.type("model: 4, batch: B, f32"), graphs.type("batch: B, model: 4, f32"));
  EXPECT_NE(graphs.type("batch: B, model: 4, f32"), graphs.type("batch: C, model: 4, f32"));
}

TEST_F(Types, SizesMultiplyAsMonomials) {
  EXPECT_EQ(product("8", "64"), "512");
  EXPECT_EQ(product("2*S", "3*B"), "6*B*S");
  EXPECT_EQ(product("B", "B"), "B*B");
  EXPECT_EQ(product("1", "B"), "B");
}

TEST_F(Types, SizesDivideWhereNothingIsLeftOver) {
  EXPECT_EQ(quotient("512", "64"), "8");
  EXPECT_EQ(quotient("6*B*S", "2*S"), "3*B");
  EXPECT_EQ(quotient("B", "B"), "1");
  EXPECT_EQ(quotient("B*B", "B"), "B");
  EXPECT_EQ(quotient("B", "B*B"), "none");
  EXPECT_EQ(quotient("512", "60"), "none");
  EXPECT_EQ(quotient("B", "S"), "none");
  EXPECT_EQ(quotient("512", "B"), "none");
  EXPECT_EQ(quotient("S[batch]", "S"), "none");
  EXPECT_EQ(quotient("?", "2"), "none");
}

TEST_F(Types, SizesKnowTheirKind) {
  EXPECT_TRUE(size("512").isFixed());
  EXPECT_FALSE(size("B").isFixed());
  EXPECT_FALSE(size("?").isFixed());
  EXPECT_TRUE(size("?").isUnknown());
  EXPECT_TRUE(size("S[batch]").isRagged());
  EXPECT_EQ(size("S[batch]").padded(), size("S"));
  EXPECT_EQ(size("S[batch]").str(), "S[batch]");
}

TEST_F(Types, AxesAreFoundByName) {
  NamedTensorType type = graphs.type("batch: B, model: 4, f32");
  EXPECT_EQ(type.sizeOf("model"), size("4"));
  EXPECT_FALSE(type.sizeOf("heads"));
  EXPECT_EQ(type.rank(), 2u);
  EXPECT_FALSE(type.isScalar());
  EXPECT_TRUE(graphs.type("i32").isScalar());
}

TEST_F(Types, AxesComeAndGo) {
  NamedTensorType type = graphs.type("batch: B, model: 4, f32");
  mlir::StringAttr model = mlir::StringAttr::get(&graphs.context(), "model");
  EXPECT_EQ(type.without(model), graphs.type("batch: B, f32"));
  EXPECT_EQ(type.without(model).with(Axis(model, size("4"))), type);
  EXPECT_EQ(type.withElementType(mlir::IntegerType::get(&graphs.context(), 1)),
            graphs.type("batch: B, model: 4, i1"));
}
