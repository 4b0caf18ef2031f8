//===- Pipeline.h - The passes in their order -------------------*- C++ -*-===//
//
// From the graph as the frontend builds it to the planned form that codegen reads. Every
// optimization can be switched off and every pass stopped after. Test: tests/passes/pipeline.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "passes/MemoryBudget.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace axloom::passes {
struct PipelineOptions {
  /// Optimizations switched off, by name.
  std::vector<std::string> disabled;
  /// The last pass to run, by its flag; empty: all. A pass that runs twice is stopped after its
  /// last run.
  std::string stopAfter;
  /// Say on standard error what each pass changed, and how long it took.
  bool report = false;
  /// The longest row that the target normalizes in a contraction's epilogue.
  int64_t layerNormRowLimit = 1024;
  /// Whether one wide contraction of a tensor beats several narrow ones on the target: what
  /// fuse-horizontal asks.
  bool wideContractions = false;
  /// The most hidden activations of one token that the target keeps between the contractions of a
  /// feed-forward block.
  int64_t hiddenLimit = 4096;
  /// Whether factors of matrix products are rounded to bf16.
  bool brainFloatFactors = false;

  /// The memory that results between kernels may take; no bytes: whatever they need.
  MemoryBudget memoryBudget;

  /// Why an optimization is left out, in words for the user; empty if it is not.
  std::string whyOff(llvm::StringRef optimization) const;
  bool isDisabled(llvm::StringRef optimization) const { return !whyOff(optimization).empty(); }
};

/// The optimizations that can be switched off.
llvm::ArrayRef<llvm::StringLiteral> optimizations();
/// The passes that one can stop after, in order.
std::vector<std::string> passNames();

/// What is wrong with the options, as a sentence for the user; empty if nothing is.
std::string problemWith(const PipelineOptions &options);

void buildPipeline(mlir::OpPassManager &passes, const PipelineOptions &options);

/// The pipeline as a flag of axloom-opt: --axloom-pipeline="disable=a,b stop-after=c report".
void registerPipeline();
} // namespace axloom::passes
