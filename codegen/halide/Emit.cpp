#include "codegen/halide/Emit.h"

#include "codegen/halide/NativeRounding.h"
#include "codegen/halide/PrefetchStores.h"
#include "codegen/halide/Prefetches.h"
#include "codegen/halide/WriteObject.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/schedules/PackOperands.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

std::string codegen::blockName(llvm::StringRef kernelName, size_t block) {
  return "axloom_kernel_" + kernelName.str() + "_" + std::to_string(block);
}

std::string codegen::preparationName(llvm::StringRef kernelName, size_t index) {
  return "axloom_kernel_" + kernelName.str() + "_packed" + std::to_string(index);
}

std::string codegen::fallbackName(llvm::StringRef kernelName) {
  return kernelName.str() + "_generic";
}

bool codegen::schedulesAreStrict() { return std::getenv("AXLOOM_STRICT_SCHEDULES") != nullptr; }

static Halide::Target halideTarget(const Target &target) {
  Halide::Target result(Halide::Target::Linux, Halide::Target::X86, 64);
  auto has = [&](const char *feature) { return llvm::is_contained(target.features, feature); };
  if (has("avx")) {
    result.set_feature(Halide::Target::SSE41);
    result.set_feature(Halide::Target::AVX);
  }
  if (has("f16c"))
    result.set_feature(Halide::Target::F16C);
  if (has("fma"))
    result.set_feature(Halide::Target::FMA);
  if (has("avx2"))
    result.set_feature(Halide::Target::AVX2);
  if (has("avx512f")) {
    result.set_feature(Halide::Target::AVX512);
    result.set_feature(Halide::Target::AVX512_Skylake);
  }
  if (has("avx512bf16")) // Halide's own lowering for a Zen 4 uses no others
    result.set_feature(Halide::Target::AVX512_Zen4);
  return result.with_feature(Halide::Target::NoRuntime).with_feature(Halide::Target::NoBoundsQuery);
}

/// Halide puts outputs last; the kernel ABI wants tensors first, then scalars.
static void putTensorsFirst(Halide::Module &module) {
  for (Halide::Internal::LoweredFunc &function : module.functions())
    std::stable_partition(function.args.begin(), function.args.end(),
                          [](const auto &argument) { return argument.is_buffer(); });
}

static FailureOr<Halide::Module> lowerBlock(ir::KernelOp kernel, const Family &family,
                                            const KernelPlan &plan, const PlannedBlock &block,
                                            const Target &target, const std::string &name) {
  LoweredRegion region(kernel, plan, target);
  if (failed(region.lower()))
    return failure();
  family.schedule(region, block);
  std::vector<Halide::Func> outputs;
  for (unsigned index : block.results)
    if (Stage *stage = region.outputs[index].stage; !plan.together || outputs.empty())
      outputs.push_back(stage->func);
  std::vector<Halide::Argument> arguments;
  for (const auto &[index, input] : region.inputs)
    arguments.push_back(input.param);
  for (const auto &[index, packed] : region.prepared)
    arguments.push_back(packed);
  for (unsigned index : plan.accumulated)
    arguments.push_back(region.previous.at(index));
  for (Halide::Argument &scalar : region.scalarArguments())
    arguments.push_back(std::move(scalar));
  Halide::Module module = Halide::Pipeline(outputs).compile_to_module(
      arguments, name, halideTarget(target), Halide::LinkageType::ExternalPlusArgv);
  putTensorsFirst(module);
  return module;
}

/// The kernel that packs the right operand of a contraction.
static Halide::Module lowerPreparation(ir::KernelOp kernel, const KernelPlan &plan, size_t index,
                                       const Target &target, const std::string &name) {
  LoweredRegion region(kernel, plan, target);
  const MatrixPlan &matrix = plan.matrices[index];
  ir::ContractOp op = contractionAt(kernel, index);
  Stage &packed = packedRight(op, matrix, region);
  packWhole(packed, region);
  region.constrainPrepared(index, packed.func.output_buffer());
  auto input = llvm::cast<BlockArgument>(rightOperand(op, matrix));
  return Halide::Pipeline(packed.func)
      .compile_to_module({region.inputs.at(input.getArgNumber()).param}, name, halideTarget(target),
                         Halide::LinkageType::ExternalPlusArgv);
}

/// What tasks of threads allocate: bodies of parallel loops, and all where a chunk is a task.
static llvm::StringSet<> scratchOfTasks(const Halide::Module &module, const KernelPlan &plan) {
  llvm::StringSet<> scratch;
  for (const Halide::Internal::LoweredFunc &function : module.functions())
    if (plan.dividesAmongThreads() || function.linkage == Halide::LinkageType::Internal)
      collectAllocations(function.body, scratch);
  return scratch;
}

static LogicalResult emitWith(const Family &family, ir::KernelOp kernel, const KernelPlan &plan,
                              const Target &target, llvm::StringRef name, const std::string &path) {
  Halide::Module whole("axloom_kernel_" + name.str(), halideTarget(target));
  auto append = [&](const Halide::Module &module) {
    whole.set_any_strict_float(whole.any_strict_float() || module.any_strict_float());
    llvm::StringSet<> scratch = scratchOfTasks(module, plan);
    for (Halide::Internal::LoweredFunc function : module.functions()) {
      function.body = prefetchStores(correctPrefetches(function.body), scratch);
      if (halideTarget(target).has_feature(Halide::Target::AVX512_Zen4))
        function.body = roundNatively(function.body);
      whole.append(function);
    }
    for (const Halide::Buffer<> &buffer : module.buffers())
      whole.append(buffer);
  };
  for (auto [index, matrix] : llvm::enumerate(plan.matrices))
    if (matrix.right == MatrixPlan::Right::Prepared)
      append(lowerPreparation(kernel, plan, index, target, preparationName(name, index)));
  for (auto [index, block] : llvm::enumerate(plan.blocks)) {
    FailureOr<Halide::Module> module =
        lowerBlock(kernel, family, plan, block, target, blockName(name, index));
    if (failed(module))
      return failure();
    append(*module);
  }
  return writeObject(whole, kernel, target, path);
}

LogicalResult codegen::emitObject(ir::KernelOp kernel, const Family &family, const KernelPlan &plan,
                                  const Target &target, llvm::StringRef name,
                                  const KernelCache &cache) {
  try {
    return emitWith(family, kernel, plan, target, name, cache.pathOf(name.str()));
  } catch (const Halide::Error &error) {
    // Slow is better than none; the cause goes to whoever looks for it.
    if (!plan.loops.empty() || &family == &genericFamily() || schedulesAreStrict())
      return kernel.emitError("Halide refused the ")
             << family.name() << " schedule: " << error.what();
  }
  KernelPlan plain = plan;
  for (MatrixPlan &matrix : plain.matrices) { // what host code prepares stays as it is
    matrix.left = matrix.pair > 1 ? MatrixPlan::Left::Rounded : MatrixPlan::Left::Direct;
    matrix.parts = 1;
  }
  try {
    return emitWith(genericFamily(), kernel, plain, target, name, cache.pathOf(fallbackName(name)));
  } catch (const Halide::Error &error) {
    return kernel.emitError("Halide refused the generic schedule: ") << error.what();
  }
}
