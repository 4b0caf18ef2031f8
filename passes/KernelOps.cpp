#include "passes/KernelOps.h"

#include "ir/Entries.h"
#include "ir/Parts.h"
#include "ir/Ragged.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

bool passes::isRow(NamedTensorType space, ArrayRef<StringAttr> reduced) {
  return reduced.size() == 1 && space.sizeOf(reduced[0].getValue()).isFixed();
}

static SmallVector<StringAttr> names(ArrayAttr axes) {
  return llvm::to_vector(axes.getAsRange<StringAttr>());
}

bool passes::isExpensive(Operation *op) {
  return isa<ExpOp, LogOp, PowOp, SinOp, CosOp, TanhOp, SigmoidOp, ErfOp, CustomOp>(op);
}

/// The most values that one comes of by arithmetic that is done anew wherever it is read.
static constexpr size_t mostGenerated = 64;

/// Whether a value comes of indices, constants, random numbers and scalars alone, by arithmetic
/// that costs less than reading it from memory.
static bool isGenerated(Value value) {
  llvm::SetVector<Value> open;
  open.insert(value);
  for (size_t next = 0; next < open.size(); ++next) {
    if (next == mostGenerated)
      return false;
    if (tensorType(open[next]).isScalar())
      continue;
    Operation *op = open[next].getDefiningOp();
    if (!op || isExpensive(op))
      return false;
    if (isa<IotaOp, RandomOp>(op))
      continue;
    if (!op->hasTrait<Pointwise>() && !isa<RenameOp, BroadcastOp, SplitOp, MergeOp>(op))
      return false;
    open.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether all that reads an op are sums over columns, which compute it on the way.
static bool feedsColumnSums(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto reduce = dyn_cast<ReduceOp>(user);
    return reduce && !isRow(tensorType(reduce.getX()), names(reduce.getOver()));
  });
}

bool passes::copiesVariable(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && cast.getX().getType() == cast.getType() && cast.getX().getDefiningOp<ReadOp>();
}

bool passes::joinsAgain(Value value) {
  auto isEarlier = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  std::set<Operation *, decltype(isEarlier)> users(value.user_begin(), value.user_end());
  while (!users.empty()) {
    Operation *op = *users.begin();
    users.erase(users.begin());
    if (!op->hasTrait<Pointwise>() ||
        tensorType(op->getResult(0)).getAxes() != tensorType(value).getAxes())
      return false;
    if (users.empty())
      return true;
    users.insert(op->user_begin(), op->user_end());
  }
  return false;
}

static bool rearranges(Operation *op) {
  return isa<RenameOp, SplitOp, MergeOp, SliceOp, ConcatOp>(op);
}

/// Whether all that comes of an op is biases, masks and dropout of attention, by pointwise ops.
static bool feedsScores(Operation *op) {
  llvm::SetVector<Operation *> open;
  open.insert(op);
  auto isOfScores = [&](OpOperand &use) {
    return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
        .Case<AttentionOp, AttentionGradientOp>([&](auto attention) {
          Value value = use.get();
          return value == attention.getBias() || value == attention.getMask() ||
                 value == attention.getKeep();
        })
        .Default([&](Operation *user) {
          open.insert(user);
          return user->hasTrait<Pointwise>() || isa<BroadcastOp>(user);
        });
  };
  for (size_t next = 0; next < open.size(); ++next)
    if (open[next]->use_empty() || !llvm::all_of(open[next]->getUses(), isOfScores))
      return false;
  return true;
}

/// The most ops that a score is computed with, rather than read.
static constexpr unsigned mostOfScore = 16;

/// Whether a value comes of few ops, none of which reads elements at another place: a kernel of
/// attention has only its own chunk of what it reads.
static bool takesFewOps(Operation *op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t next = 0; next < ops.size() && ops.size() <= mostOfScore; ++next)
    for (Value operand : ops[next]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && rearranges(producer) && !isa<RenameOp>(producer))
        return false;
      if (producer && !isExpensive(producer) &&
          (producer->hasTrait<Pointwise>() || isa<RenameOp, BroadcastOp>(producer)))
        ops.insert(producer);
    }
  return ops.size() <= mostOfScore;
}

static bool isCheap(Operation *op);

/// Whether a value has an element for each score, but comes of what has fewer: distances of
/// positions times a slope for each head. It would be read from memory as often as it is computed.
static bool spreadsOverScores(Operation *op) {
  NamedTensorType type = tensorType(op->getResult(0));
  auto isSmall = [&](Value operand) {
    auto *producer = operand.getDefiningOp();
    return tensorType(operand).rank() < type.rank() || (producer && isCheap(producer));
  };
  llvm::SmallSetVector<Value, 4> operands; // once each: this looks through several ops
  operands.insert(op->operand_begin(), op->operand_end());
  return !isExpensive(op) && takesFewOps(op) && llvm::all_of(operands, isSmall) && feedsScores(op);
}

/// Whether an op costs less than reading what it gives, whatever it is computed from.
static bool isFree(Operation *op) {
  if (auto concat = dyn_cast<ConcatOp>(op))
    return !readsManyParts(concat);
  if (rearranges(op) || isa<BroadcastOp, IotaOp, ConstantOp, SizeOfOp, CastOp, NegOp, CompareOp,
                            AndOp, OrOp, NotOp, RandomOp>(op))
    return true;
  return op->hasTrait<Pointwise>() && !tensorType(op->getResult(0)).isScalar() &&
         isGenerated(op->getResult(0));
}

/// Whether an op and the free ones that lead to it read few tensors, and have few sites of random
/// numbers: a kernel has room for those of each of its operands.
static bool readsFew(Operation *op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  llvm::SmallDenseSet<Value> read;
  size_t sites = 0;
  for (size_t next = 0; next < ops.size(); ++next) {
    sites += isa<RandomOp>(ops[next]);
    for (Value operand : ops[next]->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && isFree(producer))
        ops.insert(producer);
      else
        read.insert(operand);
    if (read.size() + sites > mostParts)
      return false;
  }
  return true;
}

/// Whether it costs less to compute an op again than to read it.
static bool isCheap(Operation *op) {
  if (isFree(op))
    return readsFew(op);
  if (!op->hasTrait<Pointwise>() || tensorType(op->getResult(0)).isScalar())
    return false;
  return feedsColumnSums(op) || spreadsOverScores(op);
}

using Condition = llvm::function_ref<bool(Operation *)>;

/// Ops, with those that they read and that the condition holds for, directly or not.
static llvm::SetVector<Operation *> withProducers(llvm::SetVector<Operation *> ops,
                                                  Condition isWanted) {
  for (size_t next = 0; next < ops.size(); ++next)
    for (Value operand : ops[next]->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && isWanted(producer))
        ops.insert(producer);
  return ops;
}

/// The axis that a tensor or a size of these ops is ragged over; null if there is none.
static StringAttr entriesOf(const llvm::SetVector<Operation *> &ops) {
  for (Operation *op : ops)
    if (StringAttr entries = ir::entriesOf(op))
      return entries;
  return {};
}

/// Whether a kernel that computed an op anew would go through the entries of a ragged batch, of
/// which the op needs several. A ragged tensor's own entries stay what they are, by other names.
static bool needsOtherEntries(Operation *op) {
  auto isRagged = [](Value value) { return raggedPart(tensorType(value)).has_value(); };
  if (llvm::any_of(op->getOperands(), isRagged))
    return false;
  llvm::SetVector<Operation *> open;
  open.insert(op->user_begin(), op->user_end());
  for (size_t next = 0; next < open.size(); ++next) {
    if (open[next]->hasTrait<OpTrait::IsTerminator>() || isa<WriteOp>(open[next]))
      continue;
    llvm::SetVector<Operation *> reader;
    reader.insert(open[next]);
    StringAttr entries = entriesOf(withProducers(reader, isCheap));
    if (entries && !whyNotByEntry(op, entries).empty())
      return true;
    if (isCheap(open[next]))
      open.insert(open[next]->user_begin(), open[next]->user_end());
  }
  return false;
}

bool passes::isRecomputed(Operation *op) {
  return isCheap(op) && !(rearranges(op) && needsOtherEntries(op));
}

SmallVector<StringAttr> passes::reducedAxes(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<StringAttr>>(op)
      .Case([](ReduceOp reduce) {
        return llvm::to_vector(reduce.getOver().getAsRange<StringAttr>());
      })
      .Case<SoftmaxOp, LayerNormOp, ArgmaxOp, CrossEntropyOp>(
          [](auto row) { return SmallVector<StringAttr>{row.getAxisAttr()}; })
      .Default([](Operation *) { return SmallVector<StringAttr>(); });
}

StringRef passes::anchorOf(Operation *op) {
  if (copiesVariable(op))
    return "copy";
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](ContractOp) { return "contraction"; })
      .Case([](CountersOp) { return "counters"; }) // nothing joins it and has to tell entries apart
      .Case([](AttentionOp) { return "attention"; })
      .Case([](AttentionGradientOp) { return "attention_gradient"; })
      .Case([](ScatterAddOp) { return "scatter"; })
      .Case([](UpdateOp) { return "update"; })
      .Case([](LinearCrossEntropyOp) { return "linear_cross_entropy"; })
      .Case<ReduceOp, SoftmaxOp, LayerNormOp, ArgmaxOp, CrossEntropyOp>(
          [](auto) { return "reduction"; })
      .Default([](Operation *) { return "pointwise"; });
}

bool passes::isElementwise(StringRef anchor) {
  return anchor == "pointwise" || anchor == "scatter";
}

bool passes::scattersAlongRows(Operation *op) {
  auto scatter = dyn_cast<ScatterAddOp>(op);
  return scatter && llvm::all_of(tensorType(scatter.getX()).getAxes(), [&](const Axis &axis) {
           return tensorType(scatter.getY()).has(axis.name);
         });
}

NamedTensorType passes::spaceOf(Operation *op) {
  if (!reducedAxes(op).empty() && !isa<SoftmaxOp>(op))
    return tensorType(op->getOperand(0));
  return tensorType(op->getResult(0));
}

/// Whether an operand has an axis that a result lacks, any one or this.
static bool losesAxis(Operation *op, StringAttr axis = nullptr) {
  auto isLost = [&](const Axis &own) {
    return (!axis || own.name == axis) && llvm::any_of(op->getResults(), [&](Value result) {
             return !tensorType(result).has(own.name.getValue());
           });
  };
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return llvm::any_of(tensorType(operand).getAxes(), isLost);
  });
}

bool passes::sumsEntries(Operation *op) {
  if (!losesAxis(op))
    return false;
  llvm::SetVector<Operation *> all;
  all.insert(op);
  StringAttr entries = entriesOf(withProducers(all, isRecomputed));
  return entries && losesAxis(op, entries);
}

bool passes::canGoByEntry(ArrayRef<Operation *> ops, ArrayRef<Operation *> others) {
  llvm::SetVector<Operation *> all;
  all.insert(ops.begin(), ops.end());
  all.insert(others.begin(), others.end());
  all = withProducers(all, isRecomputed);
  StringAttr entries = entriesOf(all);
  return !entries || llvm::all_of(all, [&](Operation *op) {
    return renamesEntries(op) || whyNotByEntry(op, entries).empty();
  });
}
