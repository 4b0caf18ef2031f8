//===- Elements.h - What inference asks of elements -------------*- C++ -*-===//
//
// Element types that must agree, and numbers that an element type must have. Tests:
// tests/ir/pointwise-errors.mlir, tests/ir/structure-errors.mlir, tests/ir/program-errors.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Axes.h"

namespace axloom::ir {
/// Fails unless both have one element type. The sides name them in the message.
mlir::LogicalResult requireSameElements(MaybeLocation location, mlir::Value a,
                                        llvm::StringRef aSide, mlir::Value b,
                                        llvm::StringRef bSide);

/// Whether an element can be the number, a finite one; floating-point ones round it.
bool hasNumber(mlir::Type element, double number);
} // namespace axloom::ir
