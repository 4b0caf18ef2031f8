//===- Program.h - A graph with the inputs to run it on ---------*- C++ -*-===//
//
// What the generator makes, the checker runs and the reducer shrinks: a module with one function
// `f`.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/support/Executor.h"

namespace axloom::test {
struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ir::reference::Inputs inputs;

  mlir::func::FuncOp function() { return functionOf(*module, "f"); }
  Program clone() const;
  /// The ops of the function, without its return.
  std::vector<mlir::Operation *> ops();
  /// Lets the function return these values.
  void setResults(llvm::ArrayRef<mlir::Value> results);
  /// Gives the function one more argument.
  mlir::Value addArgument(mlir::Type type, ir::reference::Array value);
  /// Drops ops, arguments and variables that nothing depends on.
  void dropUnused();
};

/// Empty if the executor agrees with the interpreter on the function's results and variables and
/// on the gradients of its arguments.
std::string findDisagreement(Graphs &graphs, Executor &executor, Program &program,
                             Tolerance tolerance);
} // namespace axloom::test
