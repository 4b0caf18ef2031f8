//===- PassesExecutor.h - Passes, then the interpreter ----------*- C++ -*-===//
//
// Runs the compiler's passes and interprets what they leave: shows mistakes of passes without any
// code generation.
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
    return ir::reference::interpret(functionOf(*copy, name), inputs);
  }

private:
  Graphs &graphs;
  std::string passes;
};
} // namespace axloom::test
