//===- KernelClusters.h - Which ops become one kernel -----------*- C++ -*-===//
//
// Groups the ops of a function around anchors. Form-kernels outlines the groups; see there for the
// algorithm.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

#include "llvm/ADT/BitVector.h"

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

/// Marks an op that computes again what a kernel before it did: it must not join that kernel.
inline constexpr llvm::StringLiteral recomputedMark = "axloom.recomputed";

/// Ops that become one kernel, in program order.
struct Cluster {
  llvm::StringRef anchor;
  llvm::SmallVector<mlir::Operation *> ops;
  /// The axes that the kernel's loops run over, before any reduction.
  ir::NamedTensorType space;
  /// The axes that reductions in it sum away; empty if there is none.
  llvm::SmallVector<mlir::StringAttr> reduced;
};

/// Whether each kernel computes the op anew instead of reading it from memory: names, indices,
/// masks, random numbers and what comes of these alone; and what only feeds sums over columns.
bool isRecomputed(mlir::Operation *op);

/// Groups the ops of `block`, and orders the groups so that each comes after those that it reads
/// from.
llvm::SmallVector<Cluster> clusterOps(mlir::Block &block, const KernelOptions &options);
} // namespace axloom::passes
