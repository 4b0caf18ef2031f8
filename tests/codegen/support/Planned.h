//===- Planned.h - Hand-written planned modules -----------------*- C++ -*-===//

#pragma once

#include "codegen/bundle/Assemble.h"
#include "tests/codegen/support/FakeBackend.h"
#include "tests/support/TemporaryFolder.h"

#include "mlir/IR/OwningOpRef.h"

namespace axloom::test {
/// A planned module from text, compiled with kernels in C. Diagnostics are collected in `errors`.
class Planned {
public:
  Planned(llvm::StringRef text, std::map<std::string, FakeKernel> kernels,
          std::string name = "test");

  /// The bundle; aborts the test with the diagnostics if there is none.
  codegen::Bundle bundle(bool headerForC = false);
  /// Whether a bundle can be made; `errors` says why not.
  bool compiles();

  mlir::ModuleOp module() { return *parsed; }
  codegen::Target target;
  std::string errors;

private:
  mlir::FailureOr<codegen::Bundle> assembled(bool headerForC);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  TemporaryFolder objects;
  FakeBackend backend;
  std::string name;
};
} // namespace axloom::test
