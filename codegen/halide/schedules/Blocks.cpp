// Kernels that treat each index of their outermost dimension alike (a token, a row, an element of a
// parameter): pointwise chains, the optimizer, softmax and LayerNorm with what surrounds them.
//
// 1. The outermost dimension of the first result is the one to cut. It is outermost in all tensors
//    that have it, all results do, and every op keeps its indices apart: none names one of its
//    axes, but for iota, and for a scatter along it, which takes what falls into the block.
// 2. The runtime loops over blocks of it, in parallel; a block is as long as the private cache
//    allows (`choose`), and one index where how much that is depends on size symbols.
// 3. In a block, what is computed more than once is kept in scratch memory, which therefore has a
//    constant size; so is a result that overwrites an input, unless 4 holds, and copied once the
//    block has been read.
// 4. Several results of one shape that only pointwise ops lead to are computed together, a vector
//    of each at a time, in registers: each input is read once, and results overwrite inputs vector
//    by vector. Two cores of an Emerald Rapids update Transformer-base in 46 ms, with a copy of
//    each block in 78. What they read of something scattered, the block has scattered before.
//
// Test: tests/codegen/halide/BlocksTest.cpp.

#include "codegen/KernelInfo.h"
#include "codegen/halide/schedules/Stages.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
/// The elements of a tensor at one index of the outermost dimension, or nothing if that depends on
/// size symbols.
std::optional<int64_t> elementsInside(ir::NamedTensorType type, const AxisList &outermost) {
  int64_t elements = 1;
  for (const ir::Axis &axis : type.getAxes()) {
    if (llvm::is_contained(outermost, axis.name.getValue()))
      continue;
    if (!axis.size().isFixed())
      return std::nullopt;
    elements *= axis.size().getFactor();
  }
  return elements;
}

/// The elements of the largest of some tensors at one index of the outermost dimension, among those
/// that have it.
std::optional<int64_t> largestInside(TypeRange tensors, const AxisList &outermost) {
  int64_t largest = 1;
  for (Type tensor : tensors) {
    auto type = llvm::cast<ir::NamedTensorType>(tensor);
    if (!type.has(outermost.front()))
      continue;
    std::optional<int64_t> elements = elementsInside(type, outermost);
    if (!elements)
      return std::nullopt;
    largest = std::max(largest, *elements);
  }
  return largest;
}

/// Whether each element of all results follows from elements at its own place, of inputs or of what
/// was scattered.
bool computesTogether(ir::KernelOp kernel) {
  ir::LayoutAttr first = resultLayout(kernel, 0);
  auto differs = [&](unsigned index) {
    return resultLayout(kernel, index) != first ||
           ir::tensorType(kernel.getOutputs()[index]).getAxes() !=
               ir::tensorType(kernel.getOutputs().front()).getAxes();
  };
  return kernel.getOutputs().size() > 1 &&
         llvm::none_of(llvm::seq<unsigned>(0, kernel.getOutputs().size()), differs) &&
         llvm::all_of(kernel.getBody().front().without_terminator(), [](Operation &op) {
           return llvm::isa<ir::ConstantOp, ir::ScatterAddOp>(op) || op.hasTrait<ir::Pointwise>();
         });
}

/// Computes a vector of all results at a time, once the block has what is kept for them.
void scheduleTogether(LoweredRegion &region) {
  int lanes = region.target.traits.vectorLanes;
  const BoundOutput &output = region.outputs.front();
  const Halide::Var &inner = output.stage->variables.front(), vector("vector_of_results");
  auto tail = Halide::TailStrategy::GuardWithIf;
  output.stage->func.split(inner, vector, inner, lanes, tail).vectorize(inner);
  output.value->func.compute_at(output.stage->func, vector)
      .bound_storage(inner, lanes)
      .vectorize(inner, lanes, tail);
  std::set<const Stage *> kept = keptStages(region);
  for (auto &stage : region.stages)
    if (stage.get() != output.value && kept.count(stage.get()))
      computeWhole(*stage, region, /*parallel=*/false);
}

class Blocks : public Family {
public:
  llvm::StringRef name() const override { return "blocks"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override {
    KernelPlan plan{.family = name().str(),
                    .groups = collapsibleGroups(kernel),
                    .blocks = {wholeKernel(kernel)}};
    ArrayRef<StringAttr> order = resultLayout(kernel, 0).getOrder();
    if (order.empty())
      return std::nullopt;
    AxisList outermost = groupAxes(order, plan.groups).front();
    for (unsigned i = 0; i < kernel.getOutputs().size(); ++i)
      if (!liesOutside(resultLayout(kernel, i), outermost, plan.groups) ||
          !ir::tensorType(kernel.getOutputs()[i]).has(outermost.front()))
        return std::nullopt;
    if (!inputsLieOutside(kernel, outermost, plan.groups))
      return std::nullopt;
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (!keepsApart(&op, outermost))
        return std::nullopt;
    plan.loops.push_back({.axes = outermost});
    plan.together = computesTogether(kernel);
    return plan;
  }

  /// The largest tensor of a block usually takes an eighth of the private cache. Sums of rows read
  /// far more than they write, so inputs count. Where results have one element for each index,
  /// vectors go across indices.
  void choose(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
              Choices &choices) const override {
    PlannedLoop &loop = plan.loops.front();
    std::optional<int64_t> read = largestInside(kernel->getOperandTypes(), loop.axes),
                           written = largestInside(kernel->getResultTypes(), loop.axes);
    int64_t least = written == 1 ? traits.vectorLanes : 1;
    loop.chunk = least;
    if (!read || !written)
      return;
    auto length = [&](int64_t kilobytes) {
      int64_t elements = kilobytes * 1024 / int64_t(sizeof(float));
      return std::max(least, elements / std::max(*read, *written));
    };
    int64_t usual = traits.privateCacheBytes / 8 / 1024;
    std::vector<int64_t> others = {usual / 4, 4 * usual};
    llvm::erase_if(others, [&](int64_t other) { return length(other) == length(usual); });
    loop.chunk = length(choices.choose("kilobytes of a block", usual, others));
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    if (region.plan.together)
      scheduleTogether(region);
    else
      scheduleRest(region, {});
  }
};
} // namespace

const Family &codegen::blocksFamily() {
  static const Blocks family;
  return family;
}
