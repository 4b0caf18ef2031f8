//===- Remarks.h - What was optimized, and why the rest was not -*- C++ -*-===//
//
// Passes say what they decide as remarks of MLIR: named by the pass, at the op's source lines, in
// words for the user. A remark changes no op, and only what listens keeps it: `axloom explain`
// through RemarkLog, `axloom-opt --remarks-filter=form-kernels` prints it. Tests:
// tests/passes/form-kernels-why.mlir, and in the files of the other passes.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

#include <string>
#include <vector>

namespace axloom::passes {
/// Marks a module that is planned on trial: nothing is said of kernels that nobody gets.
inline constexpr llvm::StringLiteral trialMark = "axloom.trial";

/// Says what an optimization did at an op; `launch` names the kernel or copy that it is about,
/// where it is known already.
void remarkDone(mlir::Operation *op, llvm::StringRef pass, const llvm::Twine &what,
                llvm::StringRef launch = "");
/// Says what it left as it is, and why.
void remarkMissed(mlir::Operation *op, llvm::StringRef pass, const llvm::Twine &why,
                  llvm::StringRef launch = "");

/// The name that profiles and reports have for a function's kernel: "train_step.12.contraction".
std::string kernelName(mlir::func::FuncOp function, unsigned index, llvm::StringRef anchor);
/// The same for the copy that gives a variable its new value.
std::string copyName(llvm::StringRef variable);

/// "contract of model.cpp:40"
std::string nameOf(mlir::Operation *op);
/// Where a value is used: "model.cpp:40, model.cpp:52 and what the function returns".
std::string usersOf(mlir::Value value);

/// Why a pattern around an op does not match: of several ways to read the graph, what ended the one
/// that led farthest.
struct Obstacle {
  /// False, as what calls it gives then.
  bool end(mlir::Operation *at, unsigned length, const llvm::Twine &reason);

  mlir::Operation *op = nullptr;
  unsigned steps = 0;
  std::string why;
};

/// A remark as `axloom explain` reads it.
struct Remark {
  bool isDone;
  std::string pass, function;
  std::string op; // its name, without the dialect
  std::string text;
  std::string launch;
  mlir::Location location;
};

/// Listens to a context while it lives. One at a time.
class RemarkLog {
public:
  explicit RemarkLog(mlir::MLIRContext &context);
  ~RemarkLog();
  RemarkLog(const RemarkLog &) = delete;
  RemarkLog &operator=(const RemarkLog &) = delete;

  std::vector<Remark> remarks;

private:
  mlir::MLIRContext &context;
};
} // namespace axloom::passes
