//===- ComputeAgain.h - Ops that repeat what a kernel computed --*- C++ -*-===//

#pragma once

#include "mlir/IR/Operation.h"

namespace axloom::passes {
/// Marks an op that computes again what an earlier kernel did, and must not join that kernel. As a
/// unit: it joins none of the kernels that there are before the first such op (rematerialize). As
/// a number: it joins those alone that have an op with this number, which what reads it may take in
/// (recompute-activations).
inline constexpr llvm::StringLiteral recomputedMark = "axloom.recomputed";

/// Clones an op in front of the first of these uses of its results, which use the clone's then.
mlir::Operation *computeAgain(mlir::Operation *op, llvm::ArrayRef<mlir::OpOperand *> uses,
                              mlir::Attribute mark);
} // namespace axloom::passes
