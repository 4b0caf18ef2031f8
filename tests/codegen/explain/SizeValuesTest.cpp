// Values for size symbols as users give them, and what is wrong with them.

#include "codegen/explain/SizeValues.h"
#include "tests/support/Graphs.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;

static const char *const text = R"(
axloom.size @B max 8
axloom.size @S max 16
func.func @f(%x: !axloom.tensor<batch: B, position: S[batch], f32>) {
  return
})";

namespace {
class SizeValuesTest : public testing::Test {
protected:
  std::string problemWith(const std::vector<std::string> &given) {
    return SizeValues(*module, given).problem;
  }

  Graphs graphs;
  mlir::OwningOpRef<mlir::ModuleOp> module = graphs.parse(text);
};
} // namespace

TEST_F(SizeValuesTest, AreUnknownUnlessGiven) {
  SizeValues sizes(*module, {});
  EXPECT_EQ(sizes.problem, "");
  EXPECT_FALSE(sizes.areKnown());
}

TEST_F(SizeValuesTest, ANumberForEachSize) {
  SizeValues sizes(*module, {"S=16", "B=3"});
  EXPECT_EQ(sizes.problem, "");
  EXPECT_TRUE(sizes.areKnown());
  EXPECT_EQ(sizes.str(), "B=3, S=16");
  EXPECT_EQ(sizes.of("B", functionOf(*module, "f")), 3);
}

TEST_F(SizeValuesTest, RaggedBatchesAreTakenAsFull) {
  SizeValues sizes(*module, {"S=16", "B=3"});
  mlir::func::FuncOp function = functionOf(*module, "f");
  EXPECT_EQ(sizes.of("longest.S", function), 16);
  EXPECT_EQ(sizes.of("total.S", function), 3 * 16);
  EXPECT_EQ(sizes.of("total.S.S", function), 3 * 16 * 16);
}

TEST_F(SizeValuesTest, MistakesAreNamed) {
  EXPECT_EQ(problemWith({"B=3"}), "--sizes lacks 'S'; the sizes are B, S");
  EXPECT_EQ(problemWith({"B=3", "S=4", "B=5"}), "--sizes gives 'B' twice");
  EXPECT_EQ(problemWith({"T=3"}), "--sizes gives 'T', which is no size; the sizes are B, S");
  EXPECT_EQ(problemWith({"B=9"}), "--sizes gives B=9, at most 8");
  EXPECT_EQ(problemWith({"B=0"}), "--sizes has 'B=0', expected SIZE=NUMBER, with a number from 1");
  EXPECT_EQ(problemWith({"B"}), "--sizes has 'B', expected SIZE=NUMBER, with a number from 1");
}
