//===- Fold.h - Arithmetic on constants -------------------------*- C++ -*-===//
//
// What the pointwise ops' folders are made of (ir/ops/Pointwise.td). Test:
// tests/passes/simplify.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/Attributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace axloom::ir {
/// The number that a value is known to hold in all its elements, found by folding the scalars it
/// comes from.
std::optional<double> knownNumber(mlir::Value value);
/// Whether it is this one.
bool isKnown(mlir::Value value, double number);

namespace fold {
/// The formula's value where the operands are floating-point constants, rounded to their type; else
/// null.
mlir::OpFoldResult constant(mlir::Attribute x, llvm::function_ref<double(double)> formula);
mlir::OpFoldResult constant(mlir::Attribute a, mlir::Attribute b,
                            llvm::function_ref<double(double, double)> formula);
} // namespace fold

/// Replaces an op by a value if that has the type of its result.
mlir::LogicalResult replaceBy(mlir::PatternRewriter &rewriter, mlir::Operation *op,
                              mlir::Value value);

/// The rewrites of each file in this folder.
void addAxesPatterns(mlir::RewritePatternSet &patterns);
void addBroadcastPatterns(mlir::RewritePatternSet &patterns);
void addConstantPatterns(mlir::RewritePatternSet &patterns);
} // namespace axloom::ir
