//===- Graphs.h - Graphs for tests ------------------------------*- C++ -*-===//
//
// A context that knows the dialect, its reference semantics and all passes, and that keeps the
// errors it was given, so that tests can look at their text.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"
#include "ir/reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace axloom::test {
class Graphs {
public:
  Graphs();

  mlir::MLIRContext &context() { return *mlir; }
  /// A module from its text; null, with an error, if it does not parse or verify.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);
  /// The type written after `!axloom.tensor`, without the brackets: "batch: B, model: 7, f32".
  ir::NamedTensorType type(llvm::StringRef text);
  /// Runs passes given as text, e.g. "differentiate".
  mlir::LogicalResult run(mlir::ModuleOp module, llvm::StringRef passes);
  /// All errors since the last call, a line each, "line:column: message" where a line is known.
  std::string takeErrors();

private:
  std::unique_ptr<mlir::MLIRContext> mlir;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
  std::string errors;
};

/// The function `name` of a module, which must have it.
mlir::func::FuncOp functionOf(mlir::ModuleOp module, llvm::StringRef name);
/// An order of the axes of a type that an argument or result can declare: that of their names, but
/// ragged ones first.
mlir::ArrayAttr declaredOrder(mlir::Type type);
/// A module as text.
std::string print(mlir::ModuleOp module);
} // namespace axloom::test
