//===- Interpreter.h - Runs a graph as the ops define it --------*- C++ -*-===//
//
// The oracle for every target: double precision, plain loops, at any stage of the pipeline after
// differentiation (axloom.kernel regions included). Ops say what they mean through
// ReferenceOpInterface, whose models registerModels attaches.
// Tests: tests/ir/InterpreterTest.cpp, tests/ir/GradientTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/reference/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace axloom::ir::reference {
/// Attaches the meaning of every op to the dialect, when that is loaded.
void registerModels(mlir::DialectRegistry &registry);

/// Values of variables by name.
using Variables = std::map<std::string, Array>;

struct Inputs {
  Sizes sizes;
  std::vector<Array> arguments; // in the function's order
  Variables variables;
};

struct Outputs {
  std::vector<Array> results;
  Variables variables; // as they are after the call
};

/// Calls a function. Fails with a diagnostic at the op concerned.
mlir::FailureOr<Outputs> interpret(mlir::func::FuncOp function, const Inputs &inputs);

/// Evaluates one op that neither reads nor writes variables.
mlir::FailureOr<std::vector<Array>>
evaluate(mlir::Operation *op, llvm::ArrayRef<const Array *> operands, const Sizes &sizes);
} // namespace axloom::ir::reference
