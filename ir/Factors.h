//===- Factors.h - Products of factors that are rounded first ---*- C++ -*-===//
//
// Ops that sum up products can have their factors rounded to bf16 (attribute `factors`), as
// machines multiply fastest, while the sums stay f32. Test: tests/ir/structure-errors.mlir,
// tests/ir/InterpreterTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Types.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace axloom::ir {
/// Reports factors of another type than bf16, and products of anything but f32.
mlir::LogicalResult verifyFactors(mlir::Operation *op, std::optional<mlir::Type> factors);

/// Whether the factors of an op's products are rounded to bf16.
bool areFactorsRounded(mlir::Operation *op);

/// The nearest number of the type; of two, the even one. Without a type, the number itself.
double roundedFactor(double value, std::optional<mlir::Type> factors);
} // namespace axloom::ir
