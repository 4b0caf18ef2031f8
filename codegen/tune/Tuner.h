//===- Tuner.h - Schedules by measuring -------------------------*- C++ -*-===//
//
// For each kernel that leaves choices (codegen/Choices.h): what the schedule cache knows, or else
// what is fastest here, on tensors of the sizes that the user gives and on all threads. Test:
// tests/codegen/tune/TunerTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"
#include "codegen/explain/SizeValues.h"

namespace axloom::codegen {
class Tuner {
public:
  Tuner(Backend &backend, const Target &target, const CompileOptions &options,
        const SizeValues &sizes)
      : backend(backend), target(target), options(options), sizes(sizes) {}

  /// Values for the choices of the kernels of a planned module, in order. Progress and a summary go
  /// to standard error. Fails, with a diagnostic, where the target is not this machine, the cache
  /// is damaged, or a kernel cannot run.
  mlir::FailureOr<std::vector<ChoiceValues>> tune(llvm::ArrayRef<ir::KernelOp> kernels);

private:
  Backend &backend;
  const Target &target;
  const CompileOptions &options;
  const SizeValues &sizes;
};
} // namespace axloom::codegen
