#include "codegen/halide/schedules/AttentionPlan.h"

#include "codegen/KernelInfo.h"
#include "codegen/halide/schedules/AttentionMask.h"
#include "runtime/abi/axloom.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// Whether an op reads one element of each operand at most for one that it gives: then it is
/// computed where it is read, and a chunk has what it needs if the op moves along no loop
/// (`movesAlongLoop`); inputs of what renames an axis stay whole.
static bool readsOneElement(Operation *op) {
  return op->hasTrait<ir::Pointwise>() ||
         llvm::isa<ir::BroadcastOp, ir::RenameOp, ir::SliceOp, ir::ConcatOp, ir::IotaOp,
                   ir::ConstantOp, ir::SizeOfOp, ir::CountersOp>(op);
}

template <typename Op> Op codegen::onlyAttention(ir::KernelOp kernel) {
  Op found;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    auto match = llvm::dyn_cast<Op>(op);
    if (match && !found)
      found = match;
    else if (!readsOneElement(&op))
      return nullptr;
  }
  return found;
}
template ir::AttentionOp codegen::onlyAttention(ir::KernelOp);
template ir::AttentionGradientOp codegen::onlyAttention(ir::KernelOp);

std::optional<unsigned> codegen::resultOf(Value value) {
  for (OpOperand &use : value.getUses()) {
    if (llvm::isa<ir::YieldOp>(use.getOwner()))
      return use.getOperandNumber();
    if (auto cast = llvm::dyn_cast<ir::CastOp>(use.getOwner()))
      if (auto rounded = resultOf(cast.getY()))
        return rounded;
  }
  return std::nullopt;
}

/// Whether the results are the op's own, in memory of their own.
static bool givesItsResults(ir::KernelOp kernel) {
  llvm::DenseSet<Value> seen;
  for (OpOperand &yielded : kernel.getBody().front().getTerminator()->getOpOperands()) {
    Value value = yielded.get();
    if (auto cast = value.getDefiningOp<ir::CastOp>())
      value = cast.getX();
    Operation *op = value.getDefiningOp();
    if (!llvm::isa_and_nonnull<ir::AttentionOp, ir::AttentionGradientOp>(op) ||
        !seen.insert(value).second)
      return false;
  }
  return llvm::all_of(overwrittenInputs(kernel), [](int64_t input) { return input < 0; });
}

static void collectInputs(Value value, StringRef axis, llvm::DenseSet<Value> &seen,
                          std::set<unsigned> &inputs) {
  if (!ir::tensorType(value).has(axis) || !seen.insert(value).second)
    return;
  if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
    inputs.insert(argument.getArgNumber());
    return;
  }
  auto rename = value.getDefiningOp<ir::RenameOp>();
  StringRef before = rename && rename.getTo() == axis ? rename.getFrom() : axis;
  for (Value operand : value.getDefiningOp()->getOperands())
    collectInputs(operand, before, seen, inputs);
}

std::set<unsigned> codegen::inputsAlong(Value value, StringRef axis) {
  llvm::DenseSet<Value> seen;
  std::set<unsigned> inputs;
  collectInputs(value, axis, seen, inputs);
  return inputs;
}

/// Whether an op reads elements at another index of a loop's axis than it gives them: a chunk would
/// not hold what it asks for.
static bool movesAlongLoop(ir::KernelOp kernel, const KernelPlan &plan) {
  return llvm::any_of(kernel.getBody().front(), [&](Operation &op) {
    return llvm::isa<ir::SliceOp, ir::ConcatOp>(op) &&
           llvm::any_of(plan.loops,
                        [&](const PlannedLoop &loop) { return namesAxis(&op, loop.axes.front()); });
  });
}

/// Whether a chunk sees all of an input along some loop.
static bool staysWhole(unsigned input, const KernelPlan &plan) {
  return llvm::any_of(plan.whole, [&](const auto &pair) { return pair.first == input; });
}

/// Has a chunk know only some of the keys. Inputs stay whole: it is enough not to read what lies
/// behind.
static void limitKeys(ir::KernelOp kernel, const AttentionAxes &axes, KernelPlan &plan) {
  for (auto [index, input] : llvm::enumerate(kernel.getInputs()))
    if (ir::tensorType(input).has(axes.key))
      plan.whole.insert({unsigned(index), axes.key});
}

/// Queries of a block. The larger it is, the less often values are copied and factors rounded
/// (`rounds`), but the fewer blocks there are for threads, and the more is computed of what a
/// causal mask hides. Blocks that come one after the other (backward) are smaller: they do not go
/// through strips, so the scores of all their queries are in memory at once.
static int64_t queriesOfBlock(Queries queries, bool rounds, bool causal) {
  if (causal)
    return rounds ? 64 : 32;
  if (queries == Queries::Parallel)
    return rounds ? 256 : 128;
  return rounds ? 256 : 64;
}

template <typename Op>
std::optional<KernelPlan> codegen::planAttention(Op op, const AttentionAxes &axes,
                                                 llvm::StringRef family, Queries queries) {
  ir::KernelOp kernel = op->template getParentOfType<ir::KernelOp>();
  bool inBlocks = queries == Queries::Parallel || queries == Queries::Sequential;
  if (!givesItsResults(kernel) || axes.shared.size() + inBlocks > AXL_MAX_LOOPS ||
      axes.query.empty() != (queries == Queries::One))
    return std::nullopt;
  KernelPlan plan{.family = family.str(), .blocks = {wholeKernel(kernel)}};
  for (const std::string &axis : axes.shared)
    plan.loops.push_back({.axes = {axis}});
  ShownDistances distances = op.getMask() ? shownDistances(op.getMask(), axes) : ShownDistances();
  bool causal = inBlocks && distances.least.value_or(-1) >= 0;
  if (inBlocks)
    plan.loops.push_back({.axes = {axes.query},
                          .parallel = queries == Queries::Parallel,
                          .chunk = queriesOfBlock(queries, bool(op.getFactors()), causal)});
  if (movesAlongLoop(kernel, plan))
    return std::nullopt;
  for (auto rename : kernel.getBody().getOps<ir::RenameOp>())
    for (const PlannedLoop &loop : plan.loops)
      if (rename.getFrom() == loop.axes.front())
        for (unsigned input : inputsAlong(rename.getX(), rename.getFrom()))
          plan.whole.insert({input, loop.axes.front()});
  if (causal) {
    PlannedLoop &blocks = plan.loops.back();
    blocks.prefix = axes.key; // where this loop has arrived
    // In whole blocks, so that keys that are pairs stay pairs.
    if (distances.most)
      blocks.reach = llvm::alignTo(std::max<int64_t>(1, *distances.most), blocks.chunk);
  }
  if (std::is_same_v<Op, ir::AttentionOp> && !causal && op.getMask())
    plan.prefix = shownPrefix(op.getMask(), axes);
  if (plan.prefix && staysWhole(plan.prefix->input, plan)) // which element counts is not known
    plan.prefix.reset();
  if (causal || plan.prefix)
    limitKeys(kernel, axes, plan);
  return plan;
}
template std::optional<KernelPlan> codegen::planAttention(ir::AttentionOp, const AttentionAxes &,
                                                          llvm::StringRef, Queries);
template std::optional<KernelPlan>
codegen::planAttention(ir::AttentionGradientOp, const AttentionAxes &, llvm::StringRef, Queries);
