#include "codegen/halide/HalideBackend.h"

#include "codegen/Canonical.h"
#include "codegen/KernelInfo.h"
#include "codegen/halide/CustomBodies.h"
#include "codegen/halide/Emit.h"
#include "codegen/halide/Expand.h"
#include "codegen/halide/KernelCache.h"
#include "codegen/halide/OneAxis.h"
#include "codegen/halide/Ragged.h"
#include "codegen/halide/SourceHash.h"
#include "codegen/halide/Workers.h"
#include "ir/Ragged.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Config/llvm-config.h"

#include <map>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
/// What a kernel computes, whatever it calls its sizes.
struct Form {
  ir::KernelOp original;
  std::optional<IsolatedKernel> simpler; // of a ragged kernel, or one of a group
  CanonicalKernel canonical;
  std::string bodies; // of its custom ops

  ir::KernelOp source() const { return simpler ? simpler->kernel : original; }
};

/// A kernel that is to be compiled, for all that have its canonical form.
struct Unit {
  ir::KernelOp original;
  CanonicalKernel canonical;
  Choices choices;
  const Family *family = nullptr;
  KernelPlan plan;
  CompiledKernel description; // of the canonical form
};

/// By canonical text, bodies of custom ops and choices, in the order of their first use.
using UnitKey = std::tuple<std::string, std::string, ChoiceValues>;
using Units = llvm::MapVector<UnitKey, Unit, std::map<UnitKey, unsigned>>;

class HalideBackend : public Backend {
public:
  FailureOr<std::vector<Schedule>> schedules(ArrayRef<ir::KernelOp> kernels, const Target &target,
                                             const CompileOptions &options) override;
  FailureOr<std::vector<CompiledKernel>> compile(ArrayRef<ir::KernelOp> kernels,
                                                 const Target &target,
                                                 const CompileOptions &options) override;
};

/// The names that a kernel's own size symbols have, from those of its canonical form.
class SymbolNames {
public:
  explicit SymbolNames(ir::KernelOp kernel) {
    for (auto [index, symbol] : llvm::enumerate(sizeSymbols(kernel)))
      original[canonicalSymbol(index)] = symbol;
  }

  std::string operator()(StringRef symbol) const {
    if (StringRef ragged = ir::ofLongest(symbol); !ragged.empty())
      return original.at(ragged.str());
    SmallVector<StringRef> factors = ir::factorsOfTotal(symbol);
    if (factors.empty())
      return original.at(symbol.str());
    return ir::totalSymbol(llvm::map_to_vector(
        factors, [&](StringRef factor) { return ir::ofLongest(original.at(factor.str())).str(); }));
  }

  ir::SizeAttr operator()(ir::SizeAttr size) const {
    ir::SizeAttr renamed = ir::SizeAttr::fixed(size.getContext(), size.getFactor());
    for (StringAttr symbol : size.getSymbols())
      renamed = renamed.times(ir::SizeAttr::symbol(size.getContext(), (*this)(symbol.getValue())));
    return renamed;
  }

private:
  std::map<std::string, std::string> original;
};

/// Gives a description that was made from the canonical form of `source` the size symbols of that,
/// and the locations of the kernel itself.
void restoreNames(CompiledKernel &description, ir::KernelOp source, ir::KernelOp kernel) {
  SymbolNames names(source);
  for (Scalar &scalar : description.scalars)
    if (scalar.input < 0)
      scalar.size = names(scalar.size);
  Operation *yield = kernel.getBody().front().getTerminator();
  for (Operand &operand : description.operands) {
    for (Dimension &dimension : operand.dimensions)
      dimension.size = names(dimension.size);
    if (!operand.offsetsOf.empty() || operand.isScratch) {
      if (!operand.isScratch)
        operand.offsetsOf = names(operand.offsetsOf);
      operand.location = kernel.getLoc();
      continue;
    }
    Value value = operand.isResult ? yield->getOperand(operand.index)
                                   : Value(kernel.getInputs()[operand.index]);
    operand.location = value.getLoc();
  }
}

std::vector<codegen::Block> blocksOf(const CompiledKernel &kernel, const KernelPlan &plan) {
  std::vector<codegen::Block> blocks;
  for (auto [index, planned] : llvm::enumerate(plan.blocks)) {
    codegen::Block block;
    block.symbol = blockName(kernel.name, index) + "_argv";
    for (auto [position, operand] : llvm::enumerate(kernel.operands))
      if (!operand.isResult && operand.offsetsOf.empty())
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

/// How a right operand is packed: its axes by their places in memory, and their extents, since
/// kernels may split one tensor in several ways.
std::string formOfPacking(ir::KernelOp kernel, ir::ContractOp op, const MatrixPlan &matrix,
                          const KernelPlan &plan) {
  auto right = llvm::cast<BlockArgument>(rightOperand(op, matrix));
  ArrayRef<StringAttr> order = inputLayout(kernel, right.getArgNumber()).getOrder();
  ir::NamedTensorType type = ir::tensorType(right);
  std::string form = "panels of " + std::to_string(matrix.panel);
  if (matrix.pair > 1)
    form += " in pairs of bf16";
  auto add = [&](const AxisList &axes) {
    for (const std::string &axis : axes)
      for (auto [place, name] : llvm::enumerate(order))
        if (name.getValue() == axis)
          form += " " + std::to_string(place) + ":" + type.sizeOf(axis).str();
    form += ",";
  };
  add(matrix.column);
  for (const AxisList &dimension :
       dimensionsBeside(op, right, matrix.column, orderOfAxes(kernel), plan.groups))
    add(dimension);
  return form;
}

/// The kernels that pack right operands of contractions; their code is in the kernel's object.
std::vector<Preparation> preparationsOf(const CompiledKernel &kernel, ir::KernelOp op,
                                        const KernelPlan &plan) {
  std::vector<Preparation> preparations;
  auto position = [&](bool isScratch, unsigned index) {
    return llvm::find_if(kernel.operands, [&](const Operand &operand) {
      return !operand.isResult && operand.offsetsOf.empty() && operand.isScratch == isScratch &&
             operand.index == index;
    });
  };
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    if (matrix.right != MatrixPlan::Right::Prepared)
      continue;
    ir::ContractOp contraction = contractionAt(op, index);
    auto input = llvm::cast<BlockArgument>(rightOperand(contraction, matrix));
    auto from = position(false, input.getArgNumber()), packed = position(true, index);
    CompiledKernel code;
    code.name = preparationName(kernel.name, index);
    code.family = "packing";
    code.operands = {*from, *packed};
    code.operands.front().access = Access::Read;
    code.operands.back().access = Access::Write;
    for (Operand &operand : code.operands) {
      operand.loopAxis.clear();
      operand.loopStep.clear();
    }
    code.blocks = {{code.name + "_argv", {0, 1}}};
    code.object = kernel.object;
    preparations.push_back({int(packed - kernel.operands.begin()),
                            int(from - kernel.operands.begin()),
                            std::make_shared<const CompiledKernel>(std::move(code)),
                            formOfPacking(op, contraction, matrix, plan)});
  }
  return preparations;
}

FailureOr<Form> formOf(ir::KernelOp kernel) {
  FailureOr<std::string> bodies = bodiesOf(kernel);
  if (failed(bodies))
    return failure();
  Form form{.original = kernel, .simpler = {}, .canonical = {}, .bodies = *bodies};
  if (kernel.getGroup()) {
    form.simpler = overOneAxis(kernel);
  } else if (isRagged(kernel)) {
    FailureOr<IsolatedKernel> dense = makeDense(kernel);
    if (failed(dense))
      return failure();
    form.simpler = std::move(*dense);
  }
  form.canonical = canonicalize(form.source());
  return form;
}

/// Chooses how a kernel is scheduled.
void plan(Unit &unit, const Target &target, bool genericOnly) {
  expandComposites(unit.canonical.kernel);
  std::tie(unit.family, unit.plan) =
      chooseFamily(unit.canonical.kernel, target, genericOnly, unit.choices);
}

/// Of the headers that this is compiled with; the library's is the same.
std::string halideVersion() {
  return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
         std::to_string(HALIDE_VERSION_PATCH);
}

/// Describes a planned kernel, and names it by all that its code depends on.
void describe(Unit &unit, const std::string &bodies, const Target &target,
              const KernelCache &cache) {
  CompiledKernel &description = unit.description;
  description = codegen::describe(unit.canonical.kernel, unit.plan);
  description.choices = unit.choices.unusual();
  const std::string halide = halideVersion();
  SmallVector<StringRef> parts = {target.name,         LLVM_VERSION_STRING, halide, sourceHash,
                                  unit.family->name(), unit.canonical.text, bodies};
  std::string choices = toString(description.choices);
  if (!choices.empty())
    parts.push_back(choices);
  description.name = contentHash(parts).substr(0, 24);
  description.object = cache.pathOf(description.name);
  description.blocks = blocksOf(description, unit.plan);
}

FailureOr<std::vector<Schedule>> HalideBackend::schedules(ArrayRef<ir::KernelOp> kernels,
                                                          const Target &target,
                                                          const CompileOptions &options) {
  std::vector<Schedule> schedules;
  for (ir::KernelOp kernel : kernels) {
    FailureOr<Form> form = formOf(kernel);
    if (failed(form))
      return failure();
    std::vector<std::string> symbols = sizeSymbols(form->source());
    Unit unit{.original = kernel, .canonical = std::move(form->canonical), .choices = Choices()};
    plan(unit, target, options.genericOnly);
    StringRef family = unit.family->name();
    schedules.push_back(
        {.family = family.str(),
         .key = contentHash({target.name, family, unit.canonical.text, form->bodies}),
         .symbols = std::move(symbols),
         .choices = unit.choices.open()});
  }
  return schedules;
}

LogicalResult compileMissing(Units &units, const KernelCache &cache, const Target &target,
                             unsigned jobLimit) {
  std::vector<std::function<bool()>> jobs;
  std::vector<const Unit *> missing;
  for (auto &[text, unit] : units) {
    const std::string &name = unit.description.name;
    if (cache.has(name) || (!schedulesAreStrict() && cache.has(fallbackName(name))))
      continue;
    missing.push_back(&unit);
    jobs.push_back([&cache, &target, &name, &unit = unit] {
      return succeeded(emitObject(ir::KernelOp(unit.canonical.kernel), *unit.family, unit.plan,
                                  target, name, cache));
    });
  }
  bool allCompiled = true;
  for (auto [unit, result] : llvm::zip(missing, runInProcesses(jobs, jobLimit))) {
    if (result.succeeded)
      continue;
    allCompiled = false;
    ir::KernelOp original = unit->original;
    original.emitError("this ") << original.getAnchor()
                                << " kernel did not compile: " << StringRef(result.output).rtrim();
  }
  return success(allCompiled);
}

/// The description of a compiled kernel under its own names, with the object that there is. If
/// there is none any more, whoever reads it says which is missing.
CompiledKernel descriptionOf(ir::KernelOp kernel, const Form &form, const Unit &unit,
                             const KernelCache &cache) {
  CompiledKernel description = unit.description;
  std::string fallback = fallbackName(description.name);
  if (!cache.has(description.name) && cache.has(fallback)) {
    description.family = genericFamily().name().str();
    description.object = cache.pathOf(fallback);
  }
  restoreNames(description, form.source(), kernel);
  if (kernel.getGroup())
    setElementCount(description, kernel);
  description.preparations = preparationsOf(description, unit.canonical.kernel, unit.plan);
  return description;
}

FailureOr<std::vector<CompiledKernel>> HalideBackend::compile(ArrayRef<ir::KernelOp> kernels,
                                                              const Target &target,
                                                              const CompileOptions &options) {
  if (kernels.empty()) // nor is there anything to be kept
    return std::vector<CompiledKernel>();
  KernelCache cache(options.cacheFolder);
  if (std::string problem = cache.prepare(); !problem.empty())
    return mlir::emitError(ir::KernelOp(kernels.front()).getLoc(), problem);
  std::vector<std::pair<Form, size_t>> forms; // of each kernel, with the index of its unit
  Units units;
  for (size_t index = 0; index < kernels.size(); ++index) {
    ir::KernelOp kernel = kernels[index];
    FailureOr<Form> form = formOf(kernel);
    if (failed(form))
      return failure();
    ChoiceValues values = options.choices.empty() ? ChoiceValues() : options.choices[index];
    auto [entry, isNew] = units.try_emplace({form->canonical.text, form->bodies, values});
    Unit &unit = entry->second;
    if (isNew) {
      unit = {.original = kernel,
              .canonical = std::move(form->canonical),
              .choices = Choices(std::move(values))};
      plan(unit, target, options.genericOnly);
      describe(unit, form->bodies, target, cache);
    }
    forms.emplace_back(std::move(*form), entry - units.begin());
  }
  if (failed(compileMissing(units, cache, target, options.jobs)))
    return failure();
  std::vector<CompiledKernel> compiled;
  for (const auto &[kernel, form] : llvm::zip_equal(kernels, forms)) {
    const auto &[text, unit] = units.begin()[form.second];
    compiled.push_back(descriptionOf(kernel, form.first, unit, cache));
  }
  return compiled;
}
} // namespace

std::unique_ptr<Backend> codegen::createHalideBackend() {
  return std::make_unique<HalideBackend>();
}
