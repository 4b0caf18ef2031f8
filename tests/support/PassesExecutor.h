//===- PassesExecutor.h - Passes, then the interpreter ----------*- C++ -*-===//
//
// Runs passes of the compiler and interprets what they leave, gradients too: shows mistakes of
// passes without any code generation.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/support/Executor.h"

namespace axloom::test {
class PassesExecutor : public Executor {
public:
  /// `passes` as axloom-opt takes them: "axloom-pipeline", "differentiate,simplify", ...
  PassesExecutor(Graphs &graphs, std::string passes) : graphs(graphs), passes(std::move(passes)) {}

  mlir::FailureOr<ir::reference::Outputs> run(mlir::ModuleOp module, llvm::StringRef name,
                                              const ir::reference::Inputs &inputs) override {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    if (failed(graphs.run(*copy, passes)))
      return mlir::failure();
    return InterpreterExecutor(graphs).run(*copy, name, inputs);
  }

private:
  Graphs &graphs;
  std::string passes;
};
} // namespace axloom::test
