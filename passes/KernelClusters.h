//===- KernelClusters.h - Which ops become one kernel -----------*- C++ -*-===//
//
// Groups the ops of a function around anchors. Form-kernels outlines the groups; see there for the
// algorithm.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "passes/KernelOps.h"

#include <string>

namespace axloom::passes {
/// How far kernel forming goes; the limits are the target's.
struct KernelOptions {
  bool fuseEpilogues = true;
  bool fuseFeedForward = true;
  /// The longest row, in elements, that a contraction normalizes in its epilogue.
  int64_t layerNormRowLimit = 1024;
  /// The most hidden activations of one token, in elements, that a kernel keeps between two
  /// contractions.
  int64_t hiddenLimit = 4096;
};

/// Why an op is not in the kernel that it could be in; or, without a reason, that it is.
struct Decision {
  mlir::Operation *op;
  std::string what;       // "layer_norm is not part of "
  mlir::Operation *other; // in the kernel that it could be in
  std::string why;
};

/// Ops that become one kernel, in program order.
struct Cluster {
  llvm::StringRef anchor;
  llvm::SmallVector<mlir::Operation *> ops;
  /// The axes that the kernel's loops run over, before any reduction.
  ir::NamedTensorType space;
  /// The axes that reductions in it sum away; empty if there is none.
  llvm::SmallVector<mlir::StringAttr> reduced;
  llvm::SmallVector<Decision> decisions; // about its ops
};

/// Groups the ops of `block`, and orders the groups so that each comes after those that it reads
/// from.
llvm::SmallVector<Cluster> clusterOps(mlir::Block &block, const KernelOptions &options);
} // namespace axloom::passes
