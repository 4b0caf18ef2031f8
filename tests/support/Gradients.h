//===- Gradients.h - From a function to its gradients -----------*- C++ -*-===//
//
// To check gradients of a function `f`, its results are weighted and summed into a loss:
//   f_gradient(arguments of f, a weight for each f32 result) -> results of f, d loss / d f32
//   argument
// with loss = sum of weight * result, and compared with finite differences of that loss.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/support/Executor.h"
#include "tests/support/Values.h"

namespace axloom::test {
/// Whether gradients flow through values of this type.
bool isDifferentiable(mlir::Type type);

/// Adds `<name>_gradient` to the function's module, with axloom.gradient inside. Null if it has no
/// floating-point argument or no floating-point result.
mlir::func::FuncOp addGradientFunction(mlir::func::FuncOp function);

/// The inputs of `f_gradient`: those of `f`, and random weights.
ir::reference::Inputs gradientInputs(mlir::func::FuncOp gradientFunction,
                                     const ir::reference::Inputs &inputs, Random &random);

/// Empty if the interpreted gradients of `f` agree with central differences of the interpreted
/// loss, in a random direction of each argument and along single elements.
std::string finiteDifferenceError(Graphs &graphs, mlir::func::FuncOp function,
                                  mlir::func::FuncOp gradientFunction,
                                  const ir::reference::Inputs &gradientInputs, Random &random);
} // namespace axloom::test
