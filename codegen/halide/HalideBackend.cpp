#include "codegen/halide/HalideBackend.h"

#include "codegen/Canonical.h"
#include "codegen/KernelInfo.h"
#include "codegen/halide/Emit.h"
#include "codegen/halide/Expand.h"
#include "codegen/halide/KernelCache.h"
#include "codegen/halide/SourceHash.h"
#include "codegen/halide/Workers.h"

#include <map>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
/// A kernel that is to be compiled, for all that have its canonical form.
struct Unit {
  CanonicalKernel canonical;
  const Family *family = nullptr;
  KernelPlan plan;
  ir::KernelOp original;
};

class HalideBackend : public Backend {
public:
  FailureOr<std::vector<CompiledKernel>> compile(ArrayRef<ir::KernelOp> kernels,
                                                 const Target &target,
                                                 const CompileOptions &options) override;
};

/// Gives a description that was made from the canonical form the size symbols and locations of the
/// kernel itself.
void restoreNames(CompiledKernel &description, ir::KernelOp kernel) {
  std::vector<std::string> symbols = sizeSymbols(kernel);
  std::map<std::string, std::string> original;
  for (auto [index, symbol] : llvm::enumerate(symbols))
    original[canonicalSymbol(index)] = symbol;
  MLIRContext *context = kernel.getContext();
  for (Scalar &scalar : description.scalars)
    if (scalar.input < 0)
      scalar.symbol = original.at(scalar.symbol);
  Operation *yield = kernel.getBody().front().getTerminator();
  for (Operand &operand : description.operands) {
    Value value = operand.isResult ? yield->getOperand(operand.index)
                                   : Value(kernel.getInputs()[operand.index]);
    operand.location = value.getLoc();
    for (Dimension &dimension : operand.dimensions) {
      auto renamed = llvm::map_to_vector(dimension.size.getSymbols(), [&](StringAttr symbol) {
        return StringAttr::get(context, original.at(symbol.str()));
      });
      llvm::sort(renamed, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
      dimension.size = ir::SizeAttr::get(context, dimension.size.getFactor(), renamed, nullptr);
    }
  }
}

std::vector<codegen::Block> blocksOf(const CompiledKernel &kernel, const KernelPlan &plan) {
  std::vector<codegen::Block> blocks;
  for (auto [index, planned] : llvm::enumerate(plan.blocks)) {
    codegen::Block block;
    block.symbol = blockName(kernel.name, index) + "_argv";
    for (auto [position, operand] : llvm::enumerate(kernel.operands))
      if (!operand.isResult)
        block.operands.push_back(position);
    auto addResult = [&](unsigned result) {
      for (auto [position, operand] : llvm::enumerate(kernel.operands))
        if (operand.isResult && operand.index == result)
          block.operands.push_back(position);
    };
    // What an accumulated result held before is an argument of its own, on the same memory.
    for (unsigned result : plan.accumulated)
      addResult(result);
    llvm::for_each(planned.results, addResult);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

LogicalResult compileMissing(std::map<std::string, Unit> &units, const KernelCache &cache,
                             const Target &target, unsigned jobLimit) {
  std::vector<std::function<bool()>> jobs;
  std::vector<std::pair<const std::string, Unit> *> missing;
  for (auto &entry : units) {
    if (cache.has(entry.first))
      continue;
    missing.push_back(&entry);
    jobs.push_back([&, &name = entry.first, &unit = entry.second] {
      std::string temporary = cache.temporaryPathOf(name);
      return succeeded(emitObject(ir::KernelOp(unit.canonical.kernel), *unit.family, unit.plan,
                                  target, name, temporary)) &&
             cache.adopt(temporary, name);
    });
  }
  bool allCompiled = true;
  for (auto [entry, result] : llvm::zip(missing, runInProcesses(jobs, jobLimit))) {
    if (result.succeeded)
      continue;
    allCompiled = false;
    ir::KernelOp original = entry->second.original;
    original.emitError("this ") << original.getAnchor()
                                << " kernel did not compile: " << StringRef(result.output).rtrim();
  }
  return success(allCompiled);
}

FailureOr<std::vector<CompiledKernel>> HalideBackend::compile(ArrayRef<ir::KernelOp> kernels,
                                                              const Target &target,
                                                              const CompileOptions &options) {
  KernelCache cache(options.cacheFolder);
  if (std::string problem = cache.prepare(); !problem.empty()) {
    if (!kernels.empty())
      mlir::emitError(ir::KernelOp(kernels.front()).getLoc(), problem);
    return failure();
  }
  std::vector<CompiledKernel> compiled;
  std::map<std::string, Unit> units;
  for (ir::KernelOp kernel : kernels) {
    Unit unit{.canonical = canonicalize(kernel), .original = kernel};
    if (!options.genericOnly)
      expandComposites(unit.canonical.kernel);
    std::tie(unit.family, unit.plan) =
        chooseFamily(unit.canonical.kernel, target, options.genericOnly);
    std::string name =
        contentHash({target.name, sourceHash, unit.family->name(), unit.canonical.text})
            .substr(0, 24);
    CompiledKernel description = describe(unit.canonical.kernel, unit.plan);
    restoreNames(description, kernel);
    description.name = name;
    description.object = cache.pathOf(name);
    description.blocks = blocksOf(description, unit.plan);
    compiled.push_back(std::move(description));
    units.try_emplace(name, std::move(unit));
  }
  if (failed(compileMissing(units, cache, target, options.jobs)))
    return failure();
  return compiled;
}
} // namespace

std::unique_ptr<Backend> codegen::createHalideBackend() {
  return std::make_unique<HalideBackend>();
}
