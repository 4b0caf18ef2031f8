// Makes the graph smaller without changing what it computes.
//
// 1. Fold and rewrite by the dialect's rules (ir/canonicalize/), to a fixed point.
// 2. Merge equal ops (CSE). Random ops with different sites differ in an operand and stay apart.
// 3. Drop what is not used: pure ops, reads of variables.
// A function that asks for a gradient with respect to what an op computes stays as it is until it
// has it: another op that computes the same, or an operand that the op only passes on, is another
// value to the gradient.
// Step 1 leaves equal ops behind and step 2 new chances to fold, so both are repeated until nothing
// changes.
//
// Test: tests/passes/simplify.mlir.

#include "ir/Dialect.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace axloom;

static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !llvm::isa<ir::ReadOp>(op);
}

static bool needsAllValues(func::FuncOp function) {
  return llvm::any_of(function.getOps<ir::GradientOp>(), [](ir::GradientOp gradient) {
    return llvm::any_of(gradient.getWrt(), isComputed);
  });
}

namespace {
struct Simplify : PassWrapper<Simplify, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Simplify)
  StringRef getArgument() const final { return "simplify"; }
  StringRef getDescription() const final { return "folds, merges equal ops, drops unused ones"; }

  LogicalResult initialize(MLIRContext *context) final {
    RewritePatternSet collected(context);
    context->getOrLoadDialect<ir::AxloomDialect>()->getCanonicalizationPatterns(collected);
    patterns = std::move(collected);
    return success();
  }

  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (needsAllValues(function))
        continue;
      DominanceInfo dominance(function);
      bool rewritten = true, merged = true;
      while (rewritten || merged) {
        // Steps 1 and 3: the driver erases dead ops as it goes.
        if (failed(applyPatternsGreedily(function, patterns, GreedyRewriteConfig(), &rewritten)))
          return signalPassFailure();
        eliminateCommonSubExpressions(rewriter, dominance, function, &merged); // Step 2.
      }
    }
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

std::unique_ptr<Pass> passes::createSimplify() { return std::make_unique<Simplify>(); }
