//===- SecondDerivatives.h - Gradients of gradients -------------*- C++ -*-===//
//
// The adjoint of a fused op is one op too, which has no adjoint of its own: where a function asks
// for gradients of gradients, what the user wrote stays as it is. Tests:
// tests/passes/recognize-attention-why.mlir, recognize-linear-cross-entropy.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace axloom::passes {
/// Why ops of a function are not made one op that has a first derivative only; empty if they may.
std::string whyNoSecondDerivatives(mlir::func::FuncOp function);
} // namespace axloom::passes
