// Arguments that pick elements along an axis get its size as their limit, through kernels and
// renamings.

#include "codegen/host/IndexLimits.h"

#include "ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;

/// The limits of the arguments of the only function.
static std::vector<int64_t> limits(const char *text) {
  MLIRContext context;
  context.loadDialect<ir::AxloomDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  std::vector<int64_t> found;
  if (module)
    for (BlockArgument argument : (*module->getOps<func::FuncOp>().begin()).getArguments())
      found.push_back(codegen::indexLimit(argument));
  return found;
}

TEST(IndexLimits, AreThoseOfTheTightestUse) {
  EXPECT_EQ(limits(R"(
    func.func @f(%ids: !axloom.tensor<batch: B, i32>, %small: !axloom.tensor<vocab: 7, f32>,
                 %large: !axloom.tensor<vocab: 9, f32>) {
      %a = axloom.gather %small, %ids along "vocab" : !axloom.tensor<vocab: 7, f32>, !axloom.tensor<batch: B, i32>
           -> !axloom.tensor<batch: B, f32>
      %b = axloom.gather %large, %ids along "vocab" : !axloom.tensor<vocab: 9, f32>, !axloom.tensor<batch: B, i32>
           -> !axloom.tensor<batch: B, f32>
      return
    })"),
            (std::vector<int64_t>{7, 0, 0}));
}

TEST(IndexLimits, FollowKernelsAndRenamedAxes) {
  EXPECT_EQ(limits(R"(
    func.func @f(%ids: !axloom.tensor<batch: B, i32>, %table: !axloom.tensor<vocab: 7, f32>) {
      %y = axloom.kernel "gather"(%ids, %table) : (!axloom.tensor<batch: B, i32>, !axloom.tensor<vocab: 7, f32>)
           -> !axloom.tensor<row: B, f32> {
      ^bb0(%i: !axloom.tensor<batch: B, i32>, %t: !axloom.tensor<vocab: 7, f32>):
        %r = axloom.rename %i "batch" to "row" : !axloom.tensor<batch: B, i32> -> !axloom.tensor<row: B, i32>
        %g = axloom.gather %t, %r along "vocab" : !axloom.tensor<vocab: 7, f32>, !axloom.tensor<row: B, i32>
             -> !axloom.tensor<row: B, f32>
        axloom.yield %g : !axloom.tensor<row: B, f32>
      }
      return
    })"),
            (std::vector<int64_t>{7, 0}));
}

TEST(IndexLimits, AreNoneForOtherUsesAndSymbolicSizes) {
  EXPECT_EQ(limits(R"(
    func.func @f(%ids: !axloom.tensor<batch: B, i32>, %other: !axloom.tensor<batch: B, i32>,
                 %table: !axloom.tensor<key: T, f32>) {
      %a = axloom.gather %table, %ids along "key" : !axloom.tensor<key: T, f32>, !axloom.tensor<batch: B, i32>
           -> !axloom.tensor<batch: B, f32>
      %b = axloom.cast %other to f32 : !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, f32>
      return
    })"),
            (std::vector<int64_t>{0, 0, 0}));
}
