// Arguments that pick elements along an axis get its size as their limit, through kernels and
// renamings.

#include "codegen/host/IndexLimits.h"

#include "ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;

/// The limits of the arguments of the only function.
static std::vector<std::string> limits(const char *text) {
  MLIRContext context;
  context.loadDialect<ir::AxloomDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  std::vector<std::string> found;
  if (module)
    for (BlockArgument argument : (*module->getOps<func::FuncOp>().begin()).getArguments())
      found.push_back(llvm::join(llvm::map_range(codegen::indexLimits(argument),
                                                 [](ir::SizeAttr size) { return size.str(); }),
                                 ", "));
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
            (std::vector<std::string>{"7", "", ""}));
}

TEST(IndexLimits, HoldForAllThatPicks) {
  EXPECT_EQ(limits(R"(
    func.func @f(%rows: !axloom.tensor<batch: B, i32>, %labels: !axloom.tensor<batch: B, i32>,
                 %x: !axloom.tensor<batch: B, model: 4, f32>, %w: !axloom.tensor<classes: 9, model: 4, f32>,
                 %weights: !axloom.tensor<batch: B, f32>) {
      %sums = axloom.scatter_add %x, %rows along "row" to !axloom.tensor<model: 4, row: 5, f32>
          : !axloom.tensor<batch: B, model: 4, f32>, !axloom.tensor<batch: B, i32> -> !axloom.tensor<model: 4, row: 5, f32>
      %loss:3 = axloom.linear_cross_entropy %x, %w, %labels, %weights model "model" classes "classes" smoothing 0.1
          : !axloom.tensor<batch: B, model: 4, f32>, !axloom.tensor<classes: 9, model: 4, f32>,
            !axloom.tensor<batch: B, i32>, !axloom.tensor<batch: B, f32>
          -> !axloom.tensor<f32>, !axloom.tensor<batch: B, model: 4, f32>, !axloom.tensor<classes: 9, model: 4, f32>
      return
    })"),
            (std::vector<std::string>{"5", "9", "", "", ""}));
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
            (std::vector<std::string>{"7", ""}));
}

TEST(IndexLimits, OfPartsAreThoseOfAll) {
  EXPECT_EQ(limits(R"(
    func.func @f(%first: !axloom.tensor<p: 1, i32>, %ids: !axloom.tensor<p: 5, i32>,
                 %table: !axloom.tensor<vocab: 7, f32>) {
      %all = axloom.concat %first, %ids along "p" : !axloom.tensor<p: 1, i32>, !axloom.tensor<p: 5, i32>
             -> !axloom.tensor<p: 6, i32>
      %y = axloom.gather %table, %all along "vocab" : !axloom.tensor<vocab: 7, f32>, !axloom.tensor<p: 6, i32>
           -> !axloom.tensor<p: 6, f32>
      return
    })"),
            (std::vector<std::string>{"7", "7", ""}));
}

TEST(IndexLimits, OfSizesThatACallDecidesAllCount) {
  EXPECT_EQ(limits(R"(
    func.func @f(%place: !axloom.tensor<i32>, %other: !axloom.tensor<batch: B, i32>,
                 %cache: !axloom.tensor<batch: B, key: T, f32>, %row: !axloom.tensor<batch: B, f32>,
                 %table: !axloom.tensor<key: 32, f32>, %long: !axloom.tensor<key: S, f32>) {
      %a = axloom.gather %table, %place along "key" : !axloom.tensor<key: 32, f32>, !axloom.tensor<i32>
           -> !axloom.tensor<f32>
      %b = axloom.gather %long, %place along "key" : !axloom.tensor<key: S, f32>, !axloom.tensor<i32>
           -> !axloom.tensor<f32>
      %c = axloom.update %cache at %place with %row along "key" : <batch: B, key: T, f32>, <i32>, <batch: B, f32>
           -> <batch: B, key: T, f32>
      %d = axloom.gather %cache, %place along "key" : !axloom.tensor<batch: B, key: T, f32>, !axloom.tensor<i32>
           -> !axloom.tensor<batch: B, f32>
      return
    })"),
            (std::vector<std::string>{"T, S, 32", "", "", "", "", ""}));
}

TEST(IndexLimits, OfARaggedAxisAreItsLongestEntry) {
  EXPECT_EQ(limits(R"(
    func.func @f(%place: !axloom.tensor<batch: B, i32>, %text: !axloom.tensor<batch: B, position: S[batch], f32>) {
      %y = axloom.gather %text, %place along "position" : !axloom.tensor<batch: B, position: S[batch], f32>,
           !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, f32>
      return
    })"),
            (std::vector<std::string>{"longest.S", ""}));
}

/// A text of 5 tokens, of which the first `inputs` are looked up, and of which those from `start`
/// are labels.
static std::string nextTokens(int inputs, int start) {
  std::string x = std::to_string(inputs), y = std::to_string(5 - start), z = std::to_string(start);
  return "func.func @f(%ids: !axloom.tensor<p: 5, i32>, %table: !axloom.tensor<v: 7, f32>,\n"
         "             %logits: !axloom.tensor<p: " +
         y + ", v: 9, f32>) {\n  %in = axloom.slice %ids \"p\" from 0 size " + x +
         " : <p: 5, i32> -> <p: " + x + ", i32>\n  %out = axloom.slice %ids \"p\" from " + z +
         " size " + y + " : <p: 5, i32> -> <p: " + y +
         ", i32>\n  %a = axloom.gather %table, %in along \"v\" : !axloom.tensor<v: 7, f32>, "
         "!axloom.tensor<p: " +
         x + ", i32> -> !axloom.tensor<p: " + x +
         ", f32>\n  %b = axloom.cross_entropy %logits, %out over \"v\" smoothing 0.0 : <p: " + y +
         ", v: 9, f32>, <p: " + y + ", i32> -> <p: " + y + ", f32>\n  return\n}";
}

TEST(IndexLimits, OfSlicesAreTheLargestWhereTheseLeaveNothingOut) {
  EXPECT_EQ(limits(nextTokens(4, 1).c_str()), (std::vector<std::string>{"9", "", ""}));
  EXPECT_EQ(limits(nextTokens(1, 2).c_str()), (std::vector<std::string>{"", "", ""}));
}

TEST(IndexLimits, OfSlicesAreFoundInTheKernelsThatTakeThem) {
  EXPECT_EQ(limits(R"(
    func.func @f(%ids: !axloom.tensor<p: 5, i32>, %table: !axloom.tensor<v: 7, f32>,
                 %logits: !axloom.tensor<p: 4, v: 9, f32>) {
      %a = axloom.kernel "pointwise"(%ids, %table) : (!axloom.tensor<p: 5, i32>, !axloom.tensor<v: 7, f32>)
           -> !axloom.tensor<p: 4, f32> {
      ^bb0(%i: !axloom.tensor<p: 5, i32>, %t: !axloom.tensor<v: 7, f32>):
        %in = axloom.slice %i "p" from 0 size 4 : <p: 5, i32> -> <p: 4, i32>
        %g = axloom.gather %t, %in along "v" : !axloom.tensor<v: 7, f32>, !axloom.tensor<p: 4, i32>
             -> !axloom.tensor<p: 4, f32>
        axloom.yield %g : !axloom.tensor<p: 4, f32>
      }
      %b = axloom.kernel "reduction"(%ids, %logits) : (!axloom.tensor<p: 5, i32>, !axloom.tensor<p: 4, v: 9, f32>)
           -> !axloom.tensor<p: 4, f32> {
      ^bb0(%i: !axloom.tensor<p: 5, i32>, %l: !axloom.tensor<p: 4, v: 9, f32>):
        %out = axloom.slice %i "p" from 1 size 4 : <p: 5, i32> -> <p: 4, i32>
        %e = axloom.cross_entropy %l, %out over "v" smoothing 0.0 : <p: 4, v: 9, f32>, <p: 4, i32> -> <p: 4, f32>
        axloom.yield %e : !axloom.tensor<p: 4, f32>
      }
      return
    })"),
            (std::vector<std::string>{"9", "", ""}));
}

TEST(IndexLimits, AreNoneForOtherUses) {
  EXPECT_EQ(limits(R"(
    func.func @f(%other: !axloom.tensor<batch: B, i32>) {
      %b = axloom.cast %other to f32 : !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, f32>
      return
    })"),
            (std::vector<std::string>{""}));
}
