#include "passes/KernelClusters.h"

#include "ir/Ragged.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

/// Whether the reduced axes are one row of known length. Only then can a kernel finish row by row;
/// sums over columns are complete at the very end.
static bool isRow(NamedTensorType space, ArrayRef<StringAttr> reduced) {
  return reduced.size() == 1 && space.sizeOf(reduced[0].getValue()).isFixed();
}

static SmallVector<StringAttr> names(ArrayAttr axes) {
  return llvm::to_vector(axes.getAsRange<StringAttr>());
}

/// Whether a value comes of indices, constants, random numbers and scalars alone, by arithmetic
/// that costs less than reading it from memory.
static bool isGenerated(Value value) {
  if (tensorType(value).isScalar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || isa<ExpOp, LogOp, PowOp, SinOp, CosOp, TanhOp, ErfOp, CustomOp>(op))
    return false;
  return isa<IotaOp, RandomOp>(op) ||
         ((op->hasTrait<Pointwise>() || isa<RenameOp, BroadcastOp, SplitOp, MergeOp>(op)) &&
          llvm::all_of(op->getOperands(), isGenerated));
}

/// Whether all that reads an op are sums over columns, which compute it on the way.
static bool feedsColumnSums(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto reduce = dyn_cast<ReduceOp>(user);
    return reduce && !isRow(tensorType(reduce.getX()), names(reduce.getOver()));
  });
}

/// Whether all that comes of a value comes together in one value again, by pointwise arithmetic
/// over its axes: the two factors of a GELU.
static bool joinsAgain(Value value) {
  llvm::SmallSetVector<Value, 4> open; // what has users that were not met yet
  open.insert(value);
  for (Operation *op = value.getDefiningOp()->getNextNode(); op; op = op->getNextNode()) {
    if (llvm::none_of(op->getOperands(), [&](Value operand) { return open.contains(operand); }))
      continue;
    if (!op->hasTrait<Pointwise>() ||
        tensorType(op->getResult(0)).getAxes() != tensorType(value).getAxes())
      return false;
    open.insert(op->getResult(0));
    open.remove_if([&](Value met) {
      return met != op->getResult(0) && llvm::all_of(met.getUsers(), [&](Operation *user) {
               return user == op || user->isBeforeInBlock(op);
             });
    });
    if (open.size() == 1)
      return true;
  }
  return false;
}

bool passes::isRecomputed(Operation *op) {
  if (isa<RenameOp, SplitOp, MergeOp, SliceOp, ConcatOp, BroadcastOp, IotaOp, ConstantOp, SizeOfOp,
          CastOp, CompareOp, AndOp, OrOp, NotOp, RandomOp>(op))
    return true;
  if (!op->hasTrait<Pointwise>() || tensorType(op->getResult(0)).isScalar())
    return false;
  return isGenerated(op->getResult(0)) || feedsColumnSums(op);
}

namespace {
/// The axes that a row op walks along; empty for other ops.
SmallVector<StringAttr> reducedAxes(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<StringAttr>>(op)
      .Case([](ReduceOp reduce) {
        return llvm::to_vector(reduce.getOver().getAsRange<StringAttr>());
      })
      .Case<SoftmaxOp, LayerNormOp, ArgmaxOp, CrossEntropyOp>(
          [](auto row) { return SmallVector<StringAttr>{row.getAxisAttr()}; })
      .Default([](Operation *) { return SmallVector<StringAttr>(); });
}

/// The anchor, i.e. schedule family, of a kernel that starts with this op.
StringRef anchorOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](ContractOp) { return "contraction"; })
      .Case([](AttentionOp) { return "attention"; })
      .Case([](AttentionGradientOp) { return "attention_gradient"; })
      .Case([](ScatterAddOp) { return "scatter"; })
      .Case([](UpdateOp) { return "update"; })
      .Case([](LinearCrossEntropyOp) { return "linear_cross_entropy"; })
      .Case<ReduceOp, SoftmaxOp, LayerNormOp, ArgmaxOp, CrossEntropyOp>(
          [](auto) { return "reduction"; })
      .Default([](Operation *) { return "pointwise"; });
}

/// The axes that an op's loops run over.
NamedTensorType spaceOf(Operation *op) {
  if (!reducedAxes(op).empty() && !isa<SoftmaxOp>(op))
    return tensorType(op->getOperand(0));
  return tensorType(op->getResult(0));
}

/// Whether an op adds up along the axis that an operand is ragged over. A kernel may go through the
/// entries of a ragged batch one by one, so that the sum is complete at its end only.
bool sumsEntries(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    std::optional<RaggedPart> part = raggedPart(tensorType(operand));
    return part && llvm::any_of(op->getResults(), [&](Value result) {
             return !tensorType(result).has(part->partner.getValue());
           });
  });
}

bool isComputedAgain(Operation *op) { return op->hasAttr(recomputedMark); }

bool sameAxes(NamedTensorType a, NamedTensorType b) { return a.getAxes() == b.getAxes(); }

using ClusterSet = llvm::SmallSetVector<unsigned, 8>;

class Clustering {
public:
  Clustering(Block &block, const KernelOptions &options) : options(options) {
    for (Operation &op : block)
      if (needsKernel(&op))
        place(&op);
  }

  SmallVector<Cluster> take();

private:
  bool needsKernel(Operation *op) const;
  void place(Operation *op);
  bool canJoin(unsigned index, Operation *op) const;
  bool canReduceIn(const Cluster &cluster, Operation *op) const;
  bool takesOver(unsigned cluster, Operation *op) const;
  bool isFeedForward(unsigned cluster, ContractOp op) const;
  bool canMerge(unsigned from, unsigned into) const;
  void merge(unsigned from, unsigned into);
  bool onlyUsedIn(Value value, unsigned cluster, Operation *op) const;
  void collectProducers(Operation *op, ClusterSet &producers) const;
  void collectSiblings(Operation *op, ClusterSet &siblings) const;

  const KernelOptions &options;
  SmallVector<Cluster> clusters;
  DenseMap<Operation *, unsigned> clusterOf;
  /// For each cluster, all clusters that it reads from, directly or not.
  SmallVector<llvm::SmallDenseSet<unsigned>> dependencies;
  /// How many clusters there were before the first op that computes again what one of them did.
  unsigned closed = 0;
};
} // namespace

/// Recomputed ops need none, unless what they compute leaves the function as it is.
bool Clustering::needsKernel(Operation *op) const {
  if (isa<ReadOp, WriteOp, KernelOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->use_empty())
    return false;
  return !isRecomputed(op) || llvm::any_of(op->getUsers(), [](Operation *user) {
    return isa<WriteOp, func::ReturnOp>(user);
  });
}

/// The clusters that `op` reads from, looking through recomputed ops.
void Clustering::collectProducers(Operation *op, ClusterSet &producers) const {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer)
      continue;
    if (auto found = clusterOf.find(producer); found != clusterOf.end())
      producers.insert(found->second);
    else
      collectProducers(producer, producers);
  }
}

/// The clusters that read a tensor which `op` reads too.
void Clustering::collectSiblings(Operation *op, ClusterSet &siblings) const {
  for (Value operand : op->getOperands())
    if (!tensorType(operand).isScalar())
      for (Operation *user : operand.getUsers())
        if (auto found = clusterOf.find(user); found != clusterOf.end())
          siblings.insert(found->second);
}

void Clustering::place(Operation *op) {
  if (isComputedAgain(op) && closed == 0)
    closed = clusters.size();
  ClusterSet producers, siblings;
  collectProducers(op, producers);
  collectSiblings(op, siblings);
  auto wouldCycle = [&](unsigned target) {
    return llvm::any_of(
        producers, [&](unsigned p) { return p != target && dependencies[p].contains(target); });
  };
  // A contraction comes first, since its result is in registers; then the latest producer, which
  // has the fewest values still to wait for.
  SmallVector<unsigned> candidates(producers.begin(), producers.end());
  llvm::sort(candidates, [&](unsigned a, unsigned b) {
    return std::pair(clusters[a].anchor == "contraction", a) >
           std::pair(clusters[b].anchor == "contraction", b);
  });
  llvm::copy_if(siblings, std::back_inserter(candidates), [&](unsigned sibling) {
    return !producers.contains(sibling) && clusters[sibling].anchor != "contraction";
  });
  auto *home =
      llvm::find_if(candidates, [&](unsigned c) { return !wouldCycle(c) && canJoin(c, op); });
  unsigned target = home == candidates.end() ? clusters.size() : *home;
  if (target == clusters.size()) {
    clusters.push_back({anchorOf(op), {}, spaceOf(op), reducedAxes(op)});
    dependencies.emplace_back();
  } else if (SmallVector<StringAttr> reduced = reducedAxes(op); !reduced.empty()) {
    clusters[target].reduced = reduced;
    if (clusters[target].anchor == "pointwise")
      clusters[target].anchor = "reduction";
  } else if (isa<ContractOp>(op)) {
    clusters[target].space = spaceOf(op); // of what follows the second contraction
  }
  clusters[target].ops.push_back(op);
  clusterOf[op] = target;

  llvm::SmallDenseSet<unsigned> added;
  for (unsigned producer : producers) {
    if (producer == target)
      continue;
    added.insert(producer);
    added.insert(dependencies[producer].begin(), dependencies[producer].end());
  }
  dependencies[target].insert(added.begin(), added.end());
  for (auto &later : dependencies)
    if (later.contains(target))
      later.insert(added.begin(), added.end());

  for (unsigned producer : producers)
    if (producer != target && canMerge(producer, target))
      merge(producer, target);
}

/// Whether a pointwise cluster may become part of another one over the same axes: no third one
/// stands between, and it costs no result in memory that there was not before.
bool Clustering::canMerge(unsigned from, unsigned into) const {
  auto between = [&](unsigned first, unsigned last) {
    return llvm::any_of(dependencies[last],
                        [&](unsigned x) { return x != first && dependencies[x].contains(first); });
  };
  const Cluster &a = clusters[from], &b = clusters[into];
  if (from < closed && llvm::any_of(b.ops, isComputedAgain))
    return false;
  if (b.anchor == "contraction" && llvm::any_of(b.ops, sumsEntries))
    return false;
  if (a.anchor != "pointwise" || !sameAxes(a.space, b.space) || between(from, into) ||
      between(into, from))
    return false;
  if (b.anchor == "pointwise")
    return true;
  return (b.anchor == "contraction" || (b.anchor == "reduction" && isRow(b.space, b.reduced))) &&
         llvm::all_of(a.ops, [&](Operation *op) {
           return onlyUsedIn(op->getResult(0), into, op) || onlyUsedIn(op->getResult(0), from, op);
         });
}

void Clustering::merge(unsigned from, unsigned into) {
  for (Operation *op : clusters[from].ops)
    clusterOf[op] = into;
  clusters[into].ops.append(clusters[from].ops);
  llvm::sort(clusters[into].ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  clusters[from].ops.clear();
  dependencies[into].insert(dependencies[from].begin(), dependencies[from].end());
  dependencies[into].erase(into);
  dependencies[from].clear();
  for (auto &later : dependencies)
    if (later.erase(from) || later.contains(into)) {
      later.insert(into);
      later.insert(dependencies[into].begin(), dependencies[into].end());
    }
  dependencies[into].erase(into);
}

/// Whether a row op may reduce inside a cluster: the same rows, and rows short enough for the
/// cluster's kind; or sums over the same columns.
bool Clustering::canReduceIn(const Cluster &cluster, Operation *op) const {
  SmallVector<StringAttr> reduced = reducedAxes(op);
  if (!sameAxes(cluster.space, spaceOf(op)) ||
      (!cluster.reduced.empty() && cluster.reduced != reduced))
    return false;
  if (!isRow(cluster.space, reduced))
    return cluster.reduced == reduced;
  if (cluster.anchor == "contraction")
    return isa<LayerNormOp>(op) &&
           cluster.space.sizeOf(reduced[0].getValue()).getFactor() <= options.layerNormRowLimit;
  return true;
}

/// Whether nobody but `op` and the cluster reads the value, looking through recomputed ops.
bool Clustering::onlyUsedIn(Value value, unsigned cluster, Operation *op) const {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto found = clusterOf.find(user); found != clusterOf.end())
      return found->second == cluster;
    if (user == op)
      return true;
    return !user->hasTrait<OpTrait::IsTerminator>() && !isa<WriteOp>(user) && isRecomputed(user) &&
           llvm::all_of(user->getResults(),
                        [&](Value result) { return onlyUsedIn(result, cluster, op); });
  });
}

/// Whether `op` takes a value of the cluster over, alone or as the first of ops that will, so that
/// it never goes to memory.
bool Clustering::takesOver(unsigned cluster, Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    auto found = producer ? clusterOf.find(producer) : clusterOf.end();
    return found != clusterOf.end() && found->second == cluster &&
           (onlyUsedIn(operand, cluster, op) || joinsAgain(operand));
  });
}

/// Whether `op` sums over the columns of the cluster's contraction: the hidden activations of a
/// feed-forward block, which are short enough to stay in cache and which nobody else reads. Where
/// somebody does, as the backward pass does in training, they go to memory anyway, and reading them
/// back once is cheap beside two contractions.
bool Clustering::isFeedForward(unsigned index, ContractOp op) const {
  const Cluster &cluster = clusters[index];
  auto contractions = llvm::make_filter_range(cluster.ops, llvm::IsaPred<ContractOp>);
  if (cluster.anchor != "contraction" || !cluster.reduced.empty() ||
      std::distance(contractions.begin(), contractions.end()) != 1)
    return false;
  auto isOwn = [&](Value value) { return llvm::is_contained(cluster.ops, value.getDefiningOp()); };
  Value hidden = isOwn(op.getA()) ? op.getA() : op.getB();
  Value weight = isOwn(op.getA()) ? op.getB() : op.getA();
  bool leaves = llvm::any_of(cluster.ops, [&](Operation *own) {
    return !llvm::all_of(own->getResults(),
                         [&](Value value) { return onlyUsedIn(value, index, op); });
  });
  ClusterSet behindWeight;
  if (Operation *producer = weight.getDefiningOp())
    collectProducers(producer, behindWeight);
  if (!isOwn(hidden) || isOwn(weight) || behindWeight.contains(index) || leaves ||
      !sameAxes(tensorType(hidden), cluster.space))
    return false;
  // hidden: [tokens.., over..], weight: [over.., columns..]; over are columns of the first one.
  auto first = cast<ContractOp>(*contractions.begin());
  int64_t elements = 1;
  for (const Axis &axis : tensorType(hidden).getAxes()) {
    bool isColumn =
        tensorType(first.getA()).has(axis.name) != tensorType(first.getB()).has(axis.name) &&
        axis.size().isFixed();
    if (!llvm::is_contained(op.getOver(), axis.name)) {
      if (tensorType(weight).has(axis.name))
        return false;
      continue;
    }
    if (!isColumn)
      return false;
    elements *= axis.size().getFactor();
  }
  return elements <= options.hiddenLimit;
}

bool Clustering::canJoin(unsigned index, Operation *op) const {
  const Cluster &cluster = clusters[index];
  if (index < closed && isComputedAgain(op))
    return false;
  if (auto contract = dyn_cast<ContractOp>(op))
    return options.fuseFeedForward && isFeedForward(index, contract);
  if (!llvm::is_contained({"pointwise", "reduction", "contraction"}, cluster.anchor))
    return false;
  if (!options.fuseEpilogues && cluster.anchor != "pointwise")
    return false;
  if (llvm::any_of(cluster.ops, sumsEntries) && (!sumsEntries(op) || takesOver(index, op)))
    return false;
  if (!reducedAxes(op).empty())
    return options.fuseEpilogues && canReduceIn(cluster, op);
  if (!op->hasTrait<Pointwise>())
    return false;
  bool sumsColumns = !cluster.reduced.empty() && !isRow(cluster.space, cluster.reduced);
  if ((cluster.anchor == "contraction" || sumsColumns) && !takesOver(index, op))
    return false;
  NamedTensorType space = spaceOf(op);
  if (sameAxes(space, cluster.space))
    return !sumsColumns;
  return !cluster.reduced.empty() && sameAxes(space, cluster.space.without(cluster.reduced));
}

/// Clusters in an order in which each comes after those that it reads from, early ones first.
SmallVector<Cluster> Clustering::take() {
  SmallVector<unsigned> order;
  llvm::BitVector done(clusters.size());
  while (order.size() < clusters.size())
    for (unsigned c = 0; c < clusters.size(); ++c)
      if (!done[c] && llvm::all_of(dependencies[c], [&](unsigned d) { return done[d]; })) {
        order.push_back(c);
        done.set(c);
        break;
      }
  llvm::erase_if(order, [&](unsigned c) { return clusters[c].ops.empty(); }); // merged into others
  return llvm::map_to_vector(order, [&](unsigned c) { return std::move(clusters[c]); });
}

SmallVector<Cluster> passes::clusterOps(Block &block, const KernelOptions &options) {
  return Clustering(block, options).take();
}
