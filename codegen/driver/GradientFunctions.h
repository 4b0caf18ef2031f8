//===- GradientFunctions.h - Functions whose slopes can be checked -*- C++ -*-===//
//
// What the gradient check interprets: a loss as a function of what is differentiated, and its
// gradients, taken out of a program's function. Test: tests/codegen/driver/CheckGradientsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace axloom::codegen {
/// A value that is differentiated, as the report names it.
struct Subject {
  std::string tensor, source;
};

struct GradientFunctions {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Subject> subjects;
  /// (the function's arguments, what each stop_gradient gives, a number to add to each element of
  /// each subject) -> loss
  mlir::func::FuncOp loss;
  /// (the function's arguments, a number to add to each element of each subject) -> the gradient of
  /// each subject, what each stop_gradient gives, the operands of each custom op
  mlir::func::FuncOp gradients;
  size_t stops = 0;
};

/// A custom op by itself.
struct CustomOpFunctions {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp result;   // operands -> result
  mlir::func::FuncOp adjoints; // operands, adjoint of the result -> adjoint of each float operand
};

/// For the gradient op of this number in a function; fails with a diagnostic if it cannot be
/// differentiated.
mlir::FailureOr<GradientFunctions> gradientFunctions(mlir::func::FuncOp function, size_t number);

/// The custom ops of a function that have an adjoint, each use in a line of the program once.
std::vector<ir::CustomOp> customOpsOf(mlir::func::FuncOp function);

mlir::FailureOr<CustomOpFunctions> customOpFunctions(ir::CustomOp op);

/// Whether gradients flow through a value.
bool isDifferentiable(mlir::Value value);
} // namespace axloom::codegen
