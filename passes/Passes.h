//===- Passes.h - All passes of the compiler by name ------------*- C++ -*-===//
//
// What axloom-opt and the pipeline know of the passes: each has the flag that is its file's name in
// kebab-case. Test: the files of tests/passes/, one a pass.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <memory>

namespace mlir {
class Pass;
}

namespace axloom::passes {
std::unique_ptr<mlir::Pass> createInfer();
std::unique_ptr<mlir::Pass> createSimplify();
std::unique_ptr<mlir::Pass> createRecognizeAttention();
std::unique_ptr<mlir::Pass> createRecognizeLinearCrossEntropy();
std::unique_ptr<mlir::Pass> createDifferentiate();
std::unique_ptr<mlir::Pass> createFuseHorizontal();
std::unique_ptr<mlir::Pass> createWidenSums();
/// Without `brainFloat` the pass leaves everything as it is.
std::unique_ptr<mlir::Pass> createLowerPrecision(bool brainFloat = false);
std::unique_ptr<mlir::Pass> createNumberTokens();
std::unique_ptr<mlir::Pass> createNarrowResults();
std::unique_ptr<mlir::Pass> createGroupUpdates();

/// Makes every pass, and the whole pipeline as `--axloom-pipeline`, known to MLIR's pass pipelines.
void registerPasses();
} // namespace axloom::passes
