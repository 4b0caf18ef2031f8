#include "passes/Pipeline.h"

#include "passes/AssignLayouts.h"
#include "passes/FormKernels.h"
#include "passes/Passes.h"
#include "passes/PlanMemory.h"
#include "passes/RecomputeActivations.h"
#include "passes/Rematerialize.h"
#include "passes/Report.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom::passes;

static constexpr llvm::StringLiteral switches[] = {
    "simplify",        "recognize-attention",   "recognize-linear-cross-entropy",
    "fuse-horizontal", "recompute-activations", "fuse-epilogues",
    "fuse-ffn",        "narrow-results",        "group-updates",
    "in-place-updates"};

ArrayRef<llvm::StringLiteral> axloom::passes::optimizations() { return switches; }

std::string PipelineOptions::whyOff(StringRef optimization) const {
  if (llvm::is_contained(disabled, optimization))
    return "--disable=" + optimization.str();
  if (optimization == "fuse-horizontal" && !wideContractions)
    return "several narrow contractions are as fast on the target as a wide one";
  return "";
}

/// From the graph whole to planned kernels.
static std::vector<std::unique_ptr<Pass>> planning(const PipelineOptions &options) {
  std::vector<std::unique_ptr<Pass>> all;
  KernelOptions kernels;
  kernels.fuseEpilogues = !options.isDisabled("fuse-epilogues");
  kernels.fuseFeedForward = !options.isDisabled("fuse-ffn");
  kernels.layerNormRowLimit = options.layerNormRowLimit;
  kernels.hiddenLimit = options.hiddenLimit;
  // By the kernels that form-kernels would form, and right before it: what is computed again must
  // not be merged with what it repeats.
  if (!options.isDisabled("recompute-activations"))
    all.push_back(createRecomputeActivations(kernels));
  // The last pass that sees the graph whole: fusion decides what is never written to memory.
  all.push_back(createFormKernels(kernels));
  // What products round anyway needs half the memory; only values between kernels have any.
  if (!options.isDisabled("narrow-results"))
    all.push_back(createNarrowResults());
  // Only values between kernels have a physical order, so kernels come first.
  all.push_back(createAssignLayouts());
  // Before memory is planned, since what runs together lives at the same time.
  if (!options.isDisabled("group-updates"))
    all.push_back(createGroupUpdates());
  // Last, since layouts and groups say what can lie in place, and for how long.
  all.push_back(createPlanMemory(!options.isDisabled("in-place-updates"), options.memoryBudget));
  return all;
}

/// The passes in order. An optimization is left out where it is switched off.
static std::vector<std::unique_ptr<Pass>> steps(const PipelineOptions &options) {
  std::vector<std::unique_ptr<Pass>> all;
  auto mandatory = [&](std::unique_ptr<Pass> pass) { all.push_back(std::move(pass)); };
  auto optimization = [&](std::unique_ptr<Pass> pass) {
    if (!options.isDisabled(pass->getArgument()))
      all.push_back(std::move(pass));
  };

  // First of all, since every other pass reads sizes; and the user's mistakes should meet the
  // user's own graph.
  mandatory(createInfer());
  // Before differentiation, so that shared values have one adjoint, not one for each copy.
  optimization(createSimplify());
  // Before differentiation too: the composites have adjoints that the ops they replace could not
  // have together.
  optimization(createRecognizeAttention());
  optimization(createRecognizeLinearCrossEntropy());
  // Before differentiation, so that input and weights of what is fused have one adjoint too.
  optimization(createFuseHorizontal());
  // The adjoint ops are what kernels are made of from here on: no pass after this one knows of
  // gradients.
  mandatory(createDifferentiate());
  // Forward and adjoint ops have much in common, and rules build more than is used.
  optimization(createSimplify());
  // After differentiation, whose sums of bf16 tensors need it as well.
  mandatory(createWidenSums());
  // After differentiation, so that no rule has to know of it; before kernels, which are of one
  // precision each.
  mandatory(createLowerPrecision(options.brainFloatFactors));
  // Before kernels are formed, since only then can these walk over all tokens as over one axis.
  mandatory(createNumberTokens());
  // Nothing merges equal ops after it, or what is computed again would be kept again.
  if (options.memoryBudget.bytes > 0)
    mandatory(createRematerialize(options.memoryBudget, [options](OpPassManager &passes) {
      for (std::unique_ptr<Pass> &pass : planning(options))
        passes.addPass(std::move(pass));
    }));
  for (std::unique_ptr<Pass> &pass : planning(options))
    mandatory(std::move(pass));
  return all;
}

void axloom::passes::buildPipeline(OpPassManager &passes, const PipelineOptions &options) {
  std::vector<std::unique_ptr<Pass>> all = steps(options);
  auto last = llvm::find_if(llvm::reverse(all), [&](const std::unique_ptr<Pass> &pass) {
    return pass->getArgument() == options.stopAfter;
  });
  if (last != all.rend())
    all.erase(last.base(), all.end());

  std::shared_ptr<Snapshot> snapshot = options.report ? makeSnapshot() : nullptr;
  if (snapshot)
    passes.addPass(createReport(snapshot, ""));
  for (std::unique_ptr<Pass> &pass : all) {
    std::string name = pass->getArgument().str();
    passes.addPass(std::move(pass));
    if (snapshot)
      passes.addPass(createReport(snapshot, name));
  }
}

std::vector<std::string> axloom::passes::passNames() {
  std::vector<std::string> names;
  PipelineOptions everything;
  everything.wideContractions = true;
  everything.memoryBudget.bytes = 1;
  for (const std::unique_ptr<Pass> &pass : steps(everything))
    if (!llvm::is_contained(names, pass->getArgument()))
      names.push_back(pass->getArgument().str());
  return names;
}

std::string axloom::passes::problemWith(const PipelineOptions &options) {
  for (const std::string &name : options.disabled)
    if (!llvm::is_contained(switches, name))
      return "cannot disable '" + name + "'; the optimizations are " +
             llvm::join(optimizations(), ", ");
  std::vector<std::string> names = passNames();
  if (!options.stopAfter.empty() && !llvm::is_contained(names, options.stopAfter))
    return "cannot stop after '" + options.stopAfter + "'; the passes are " +
           llvm::join(names, ", ");
  if (options.isDisabled(options.stopAfter) ||
      (options.stopAfter == "rematerialize" && options.memoryBudget.bytes == 0))
    return "cannot stop after '" + options.stopAfter + "', which is off";
  return "";
}

namespace {
struct CommandLine : PassPipelineOptions<CommandLine> {
  ListOption<std::string> disabled{*this, "disable", llvm::cl::desc("optimizations to leave out")};
  Option<std::string> stopAfter{*this, "stop-after", llvm::cl::desc("the last pass to run")};
  Option<bool> wideContractions{*this, "wide-contractions",
                                llvm::cl::desc("let fuse-horizontal run")};
  Option<bool> brainFloatFactors{*this, "bf16",
                                 llvm::cl::desc("round factors of matrix products to bf16")};
  Option<std::string> memoryBudget{*this, "memory-budget",
                                   llvm::cl::desc("recompute values until results fit it")};
  Option<bool> report{*this, "report", llvm::cl::desc("say what each pass changed")};
};
} // namespace

void axloom::passes::registerPipeline() {
  PassPipelineRegistration<CommandLine>(
      "axloom-pipeline", "all passes in order", [](OpPassManager &passes, const CommandLine &line) {
        PipelineOptions options;
        options.disabled = {line.disabled.begin(), line.disabled.end()};
        options.stopAfter = line.stopAfter;
        options.report = line.report;
        options.wideContractions = line.wideContractions;
        options.brainFloatFactors = line.brainFloatFactors;
        std::string problem;
        if (!line.memoryBudget.empty())
          problem = MemoryBudget::parse(line.memoryBudget, options.memoryBudget);
        if (problem.empty())
          problem = problemWith(options);
        if (!problem.empty())
          llvm::report_fatal_error(llvm::StringRef(problem), /*gen_crash_diag=*/false);
        buildPipeline(passes, options);
      });
}
