//===- Executor.h - Something that runs a function of a graph ---*- C++ -*-===//
//
// What the interpreter, a compiled program and a program with an injected bug have in common. The
// graph may hold axloom.gradient; arguments and results stand in the function's order.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/support/Compare.h"
#include "tests/support/Graphs.h"

namespace axloom::test {
class Executor {
public:
  virtual ~Executor() = default;
  /// Runs the function `name`. Fails with a diagnostic.
  virtual mlir::FailureOr<ir::reference::Outputs> run(mlir::ModuleOp module, llvm::StringRef name,
                                                      const ir::reference::Inputs &inputs) = 0;
};

/// Differentiates a copy of the graph if need be, then interprets it.
class InterpreterExecutor : public Executor {
public:
  explicit InterpreterExecutor(Graphs &graphs) : graphs(graphs) {}
  mlir::FailureOr<ir::reference::Outputs> run(mlir::ModuleOp module, llvm::StringRef name,
                                              const ir::reference::Inputs &inputs) override;

private:
  Graphs &graphs;
};

/// Empty if the executor's results and variables agree with the interpreter's; otherwise says which
/// do not, and how.
std::string disagreement(Graphs &graphs, Executor &executor, mlir::ModuleOp module,
                         llvm::StringRef name, const ir::reference::Inputs &inputs,
                         Tolerance tolerance);
} // namespace axloom::test
