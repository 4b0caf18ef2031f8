//===- KernelCheck.h - A kernel against the interpreter ---------*- C++ -*-===//

#pragma once

#include "tests/codegen/support/KernelRunner.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>

namespace axloom::test {
/// A function with one kernel, in text, and the sizes it is tried with.
struct KernelCase {
  std::string name;
  std::string text;
  /// Values of size symbols, one map for each run.
  std::vector<std::map<std::string, int64_t>> sizes;
  /// i32 inputs are drawn from [0, limit).
  int64_t limit = 5;
  /// Floating-point inputs are drawn from [low, high).
  double low = -1, high = 1;
  /// Largest distance from the interpreter, relative to max(1, |expected|).
  double tolerance = 2e-5;
};

/// Every symbol of `names` takes each of 1, 2, 7, 17, 63, 65 in turn, differing where there are
/// several.
std::vector<std::map<std::string, int64_t>> oddSizes(const std::vector<std::string> &names);

/// Compiles all cases at once and checks each against the interpreter.
class KernelCheck {
public:
  explicit KernelCheck(std::vector<KernelCase> cases, codegen::CompileOptions options = {},
                       const codegen::Target &target = codegen::Target::host());
  ~KernelCheck();
  void check(size_t index);
  const KernelCase &at(size_t index) const { return cases[index]; }
  KernelRunner &runner(size_t index) { return *runners[index]; }
  ir::KernelOp kernel(size_t index) { return kernels[index]; }

  std::vector<ir::reference::Array> randomInputs(size_t index, const ir::reference::Sizes &sizes);

private:
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<KernelCase> cases;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<ir::KernelOp> kernels;
  std::vector<std::unique_ptr<KernelRunner>> runners;
};

/// Whether this machine runs code for a target: each has all features of those before it.
bool runsHere(const codegen::Target &target);

/// Compiles those of `cases` that have these names for a target, and checks each.
void checkNamed(llvm::ArrayRef<KernelCase> cases, std::initializer_list<llvm::StringRef> names,
                const codegen::Target &target);
} // namespace axloom::test
