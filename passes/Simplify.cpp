// Makes the graph smaller without changing what it computes.
//
// 1. Fold and rewrite by the dialect's rules (ir/canonicalize/), to a fixed point.
// 2. Merge equal ops (CSE). Random ops with different sites differ in an operand and stay apart.
// 3. Drop what is not used: pure ops, reads of variables.
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
