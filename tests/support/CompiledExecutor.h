//===- CompiledExecutor.h - Runs functions as compiled programs -*- C++ -*-===//
//
// module -> passes -> kernels and host program -> archive -> shared library -> runtime::Model: the
// very objects that a program would link. Compiled modules are kept, so that running one at many
// sizes compiles it once. Test: tests/codegen/driver/CompiledExecutorTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/driver/Compiler.h"
#include "tests/support/Executor.h"
#include "tests/support/SharedBundle.h"

#include <map>
#include <memory>

namespace axloom::test {
class CompiledExecutor : public Executor {
public:
  /// The host as target, all optimizations on, kernels cached in the folder of AXLOOM_TEST_CACHE
  /// (or a temporary one).
  CompiledExecutor();
  explicit CompiledExecutor(codegen::CompilerOptions options);

  mlir::FailureOr<ir::reference::Outputs> run(mlir::ModuleOp module, llvm::StringRef name,
                                              const ir::reference::Inputs &inputs) override;

  /// The compiled form of a module; null, with a diagnostic, if it does not compile. The module is
  /// left as it is.
  const SharedBundle *compile(mlir::ModuleOp module);

private:
  codegen::CompilerOptions options;
  TemporaryFolder cache;
  std::unique_ptr<codegen::Backend> backend;
  std::map<std::string, std::unique_ptr<SharedBundle>> bundles; // by the module's text
};
} // namespace axloom::test
