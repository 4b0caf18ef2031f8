//===- Compiler.h - From a graph to a bundle --------------------*- C++ -*-===//
//
// The stages of codegen/driver/Stage.h in their order, for generators, the `axloom` tool and tests
// alike. Mistakes are diagnostics in the module's context. Test:
// tests/codegen/driver/CompilerTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/bundle/Bundle.h"
#include "codegen/driver/Stage.h"
#include "codegen/explain/Explain.h"
#include "passes/Pipeline.h"

namespace axloom::codegen {
struct CompilerOptions {
  std::string name = "model";
  Target target;
  passes::PipelineOptions passes;
  CompileOptions kernels;
  Question question; // that the stage `explain` answers
  /// Sizes to tune schedules for ("B=32"), on this machine; nothing: schedules are the usual ones.
  std::optional<std::vector<std::string>> tune;
  bool headerForC = false; // what axloom_add_kernel asks for
  bool time = false;       // of each pass and stage, on standard error
};

/// The backend that compiles kernels for a target.
std::unique_ptr<Backend> createBackend(const Target &target);

class Compiler {
public:
  Compiler(const CompilerOptions &options, Backend &backend) : options(options), backend(backend) {}

  /// The module at a stage before the bundle, as text. Passes change the module.
  mlir::FailureOr<std::string> print(mlir::ModuleOp module, Stage stage);

  mlir::FailureOr<Bundle> compile(mlir::ModuleOp module);

private:
  passes::PipelineOptions pipelineOptions() const;
  mlir::LogicalResult runPasses(mlir::ModuleOp module, llvm::StringRef lastPass);
  mlir::FailureOr<std::string> explained(mlir::ModuleOp module);
  mlir::FailureOr<Description> compileKernels(mlir::ModuleOp planned);
  mlir::FailureOr<std::vector<ChoiceValues>> tuned(mlir::ModuleOp planned);
  template <class Function> auto timed(llvm::StringRef stage, Function function);

  const CompilerOptions &options;
  Backend &backend;
  std::vector<CompiledKernel> kernels;
};
} // namespace axloom::codegen
