#include "codegen/halide/schedules/AttentionPlan.h"

#include "codegen/KernelInfo.h"
#include "runtime/abi/axloom.h"

#include "llvm/ADT/StringSwitch.h"

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

/// All tensors are plain, and the results are the op's own.
static bool isPlain(ir::KernelOp kernel) {
  for (unsigned i = 0; i < kernel.getInputs().size(); ++i)
    if (inputLayout(kernel, i).getPanel())
      return false;
  llvm::DenseSet<Value> seen;
  for (OpOperand &yielded : kernel.getBody().front().getTerminator()->getOpOperands()) {
    Value value = yielded.get();
    if (auto cast = value.getDefiningOp<ir::CastOp>())
      value = cast.getX();
    Operation *op = value.getDefiningOp();
    if (!llvm::isa_and_nonnull<ir::AttentionOp, ir::AttentionGradientOp>(op) ||
        !seen.insert(value).second || resultLayout(kernel, yielded.getOperandNumber()).getPanel())
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

bool codegen::isCausal(Value mask, const AttentionAxes &axes) {
  if (auto broadcast = mask.getDefiningOp<ir::BroadcastOp>())
    return isCausal(broadcast.getX(), axes);
  if (auto both = mask.getDefiningOp<ir::AndOp>())
    return isCausal(both.getA(), axes) || isCausal(both.getB(), axes);
  auto compare = mask.getDefiningOp<ir::CompareOp>();
  if (!compare)
    return false;
  auto a = compare.getA().getDefiningOp<ir::IotaOp>(),
       b = compare.getB().getDefiningOp<ir::IotaOp>();
  if (!a || !b || a.getSize() != b.getSize())
    return false;
  StringRef predicate = compare.getPredicate();
  if (predicate == "ge" || predicate == "gt")
    std::swap(a, b);
  else if (predicate != "le" && predicate != "lt")
    return false;
  return a.getAxis() == axes.key && b.getAxis() == axes.query;
}

/// How a comparison reads that holds where this one does not.
static StringRef opposite(StringRef predicate) {
  return llvm::StringSwitch<StringRef>(predicate)
      .Case("le", "gt")
      .Case("lt", "ge")
      .Case("ge", "lt")
      .Case("gt", "le")
      .Default("");
}

/// What a mask, or one that it is `negated` of, shows of the keys of one query: those up to a place
/// that an input says, which is the same for all queries of a chunk. Nothing where it is of another
/// kind.
static std::optional<PlannedPrefix> shownPrefix(Value mask, const AttentionAxes &axes,
                                                bool negated = false) {
  if (auto broadcast = mask.getDefiningOp<ir::BroadcastOp>())
    return shownPrefix(broadcast.getX(), axes, negated);
  if (auto negation = mask.getDefiningOp<ir::NotOp>())
    return shownPrefix(negation.getX(), axes, !negated);
  if (auto both = mask.getDefiningOp<ir::AndOp>(); both && !negated) {
    auto first = shownPrefix(both.getA(), axes);
    return first ? first : shownPrefix(both.getB(), axes);
  }
  auto compare = mask.getDefiningOp<ir::CompareOp>();
  if (!compare)
    return std::nullopt;
  Value place = compare.getA(), end = compare.getB();
  StringRef predicate = negated ? opposite(compare.getPredicate()) : compare.getPredicate();
  if (predicate == "ge" || predicate == "gt")
    std::swap(place, end);
  else if (predicate != "le" && predicate != "lt")
    return std::nullopt;
  auto index = place.getDefiningOp<ir::IotaOp>();
  auto input = llvm::dyn_cast<BlockArgument>(end);
  bool isOne = input && llvm::all_of(ir::tensorType(end).getAxes(), [&](const ir::Axis &axis) {
                 return llvm::is_contained(axes.shared, axis.name.str());
               });
  if (!index || index.getAxis() != axes.key || !isOne)
    return std::nullopt;
  return PlannedPrefix{axes.key, input.getArgNumber(), predicate == "le" || predicate == "ge"};
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
  return rounds ? 128 : 64;
}

template <typename Op>
std::optional<KernelPlan> codegen::planAttention(Op op, const AttentionAxes &axes,
                                                 llvm::StringRef family, Queries queries) {
  ir::KernelOp kernel = op->template getParentOfType<ir::KernelOp>();
  bool inBlocks = queries == Queries::Parallel || queries == Queries::Sequential;
  if (!isPlain(kernel) || axes.shared.size() + inBlocks > AXL_MAX_LOOPS ||
      axes.query.empty() != (queries == Queries::One))
    return std::nullopt;
  KernelPlan plan{.family = family.str(), .blocks = {wholeKernel(kernel)}};
  for (const std::string &axis : axes.shared)
    plan.loops.push_back({.axes = {axis}});
  bool causal = inBlocks && op.getMask() && isCausal(op.getMask(), axes);
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
  if (causal)
    plan.loops.back().prefix = axes.key; // where this loop has arrived
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
