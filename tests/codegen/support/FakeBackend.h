//===- FakeBackend.h - Kernels written in C ---------------------*- C++ -*-===//
//
// A backend for tests of host code: a kernel's anchor names C source that is compiled as its code.
// Operands are inputs, results, then scratch; scalars are inputs passed by value, then the sizes
// that the test names.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

#include <map>

namespace axloom::test {
struct FakeKernel {
  std::string body; // of `int <anchor>_argv(void **arguments)`
  std::vector<std::string> sizes;
  std::vector<codegen::Loop> loops;
  std::vector<std::vector<int>>
      axes; // for each operand and loop, what the loop advances; none: no loop does
  std::vector<std::vector<codegen::Dimension>> scratch; // of f32
};

class FakeBackend : public codegen::Backend {
public:
  /// Objects go into `folder`.
  FakeBackend(std::string folder, std::map<std::string, FakeKernel> kernels)
      : folder(std::move(folder)), kernels(std::move(kernels)) {}

  mlir::FailureOr<std::vector<codegen::Schedule>>
  schedules(llvm::ArrayRef<ir::KernelOp> ops, const codegen::Target &,
            const codegen::CompileOptions &) override {
    return std::vector<codegen::Schedule>(ops.size());
  }
  mlir::FailureOr<std::vector<codegen::CompiledKernel>>
  compile(llvm::ArrayRef<ir::KernelOp> ops, const codegen::Target &target,
          const codegen::CompileOptions &options) override;

private:
  std::string object(const std::string &anchor);

  std::string folder;
  std::map<std::string, FakeKernel> kernels;
};
} // namespace axloom::test
