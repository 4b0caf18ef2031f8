#include "codegen/driver/Compiler.h"

#include "codegen/bundle/Assemble.h"
#include "codegen/driver/KernelListing.h"
#include "codegen/driver/PassTimes.h"
#include "codegen/host/HostProgram.h"
#include "codegen/host/KnownSizes.h"
#include "codegen/host/RaggedSizes.h"
#include "codegen/tune/Tuner.h"
#include "passes/Passes.h"
#include "runtime/device/Threads.h"
#include "runtime/profile/Machine.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <chrono>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

template <class Function> auto Compiler::timed(StringRef stage, Function function) {
  auto start = std::chrono::steady_clock::now();
  auto result = function();
  if (options.time)
    llvm::errs()
        << "stage " << stage << " ("
        << milliseconds(
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count())
        << ")\n";
  return result;
}

passes::PipelineOptions Compiler::pipelineOptions() const {
  passes::PipelineOptions pipeline = options.passes;
  const TargetTraits &traits = options.target.traits;
  pipeline.layerNormRowLimit = traits.layerNormRowLimit;
  pipeline.wideContractions = traits.wideContractions;
  pipeline.hiddenLimit = traits.hiddenLimit;
  pipeline.brainFloatFactors = pipeline.brainFloatFactors && traits.brainFloatFactors > 0;
  return pipeline;
}

LogicalResult Compiler::runPasses(ModuleOp module, StringRef lastPass) {
  // Passes take milliseconds; without threads their traces stay in order, and backends may fork.
  module.getContext()->disableMultithreading();
  PassManager sizes(module.getContext()); // which text may leave open
  sizes.addPass(passes::createInfer());
  if (failed(sizes.run(module)) || failed(checkRagged(module)) ||
      failed(checkSizesAreKnown(module)))
    return failure();
  passes::PipelineOptions pipeline = pipelineOptions();
  if (!lastPass.empty())
    pipeline.stopAfter = lastPass.str();
  PassManager manager(module.getContext());
  passes::buildPipeline(manager, pipeline);
  if (options.time && !pipeline.report) // the report says it too
    manager.addInstrumentation(printTimes(llvm::errs()));
  return timed("passes", [&] { return manager.run(module); });
}

FailureOr<std::vector<ChoiceValues>> Compiler::tuned(ModuleOp planned) {
  SizeValues sizes(planned, *options.tune, "--tune");
  if (sizes.problem.empty() && !sizes.areKnown())
    sizes.problem = "--tune needs values for the sizes, as in --tune B=32,S=64";
  if (!sizes.problem.empty())
    return mlir::emitError(UnknownLoc::get(planned.getContext()), sizes.problem);
  return Tuner(backend, options.target, options.kernels, sizes).tune(kernelsOf(planned));
}

FailureOr<Description> Compiler::compileKernels(ModuleOp planned) {
  SmallVector<ir::KernelOp> ops = kernelsOf(planned);
  CompileOptions compileOptions = options.kernels;
  if (options.tune) {
    auto choices = timed("tuning", [&] { return tuned(planned); });
    if (failed(choices))
      return failure();
    compileOptions.choices = std::move(*choices);
  }
  auto compiled =
      timed("kernels", [&] { return backend.compile(ops, options.target, compileOptions); });
  if (failed(compiled))
    return failure();
  kernels = std::move(*compiled);
  return describe(planned, options.name, options.target, kernels);
}

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return text;
}

static std::string printed(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

/// The limits that the user gave, or what this machine can do on the threads that programs use.
/// Throws where AXLOOM_THREADS is no number.
static MachineLimits measured(MachineLimits given, bool hasBf16) {
  runtime::startHost();
  int threads = runtime::threadCount();
  if (given.gflops == 0)
    given.gflops = runtime::peakGflops(threads);
  if (given.bf16Gflops == 0 && hasBf16)
    given.bf16Gflops = runtime::peakBf16Gflops(threads);
  if (given.bandwidth == 0)
    given.bandwidth = runtime::readBandwidth(threads);
  return given;
}

FailureOr<std::string> Compiler::explained(ModuleOp module) {
  SizeValues sizes(module, options.question.sizes);
  if (!sizes.problem.empty())
    return mlir::emitError(UnknownLoc::get(module.getContext()), sizes.problem);
  passes::RemarkLog log(*module.getContext());
  if (failed(runPasses(module, "")))
    return failure();
  FailureOr<Description> model = compileKernels(module);
  if (failed(model))
    return failure();
  Question question = options.question;
  try {
    if (sizes.areKnown())
      question.machine = measured(question.machine, pipelineOptions().brainFloatFactors);
  } catch (const std::exception &error) {
    return mlir::emitError(UnknownLoc::get(module.getContext()), error.what());
  }
  return explain(module, *model, sizes, question, pipelineOptions(), log.remarks);
}

FailureOr<std::string> Compiler::print(ModuleOp module, Stage stage) {
  const StageName &name = stageNames[size_t(stage)];
  if (stage == Stage::Graph)
    return printed(module);
  if (stage == Stage::Explain)
    return explained(module);
  if (failed(runPasses(module, name.lastPass)))
    return failure();
  if (stage <= Stage::Planned)
    return printed(module);
  FailureOr<Description> model = compileKernels(module);
  if (failed(model))
    return failure();
  if (stage == Stage::Kernels) {
    auto host = buildHostProgram(module, *model);
    if (failed(host))
      return failure();
    return listKernels(*model) + printed(**host);
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> host = hostModule(module, *model, context);
  if (!host)
    return failure();
  return printed(*host);
}

FailureOr<Bundle> Compiler::compile(ModuleOp module) {
  std::string graph = fingerprint(module);
  if (failed(runPasses(module, "")))
    return failure();
  FailureOr<Description> model = compileKernels(module);
  if (failed(model))
    return failure();
  model->fingerprint = graph;
  return timed("host program", [&] { return assemble(module, *model, options.headerForC); });
}
