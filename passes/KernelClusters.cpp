#include "passes/KernelClusters.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

bool passes::isFree(Operation *op) {
  return isa<RenameOp, SplitOp, MergeOp, BroadcastOp, IotaOp, ConstantOp, SizeOfOp, CastOp,
             CompareOp, AndOp, OrOp, NotOp, RandomOp>(op);
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

bool sameAxes(NamedTensorType a, NamedTensorType b) { return a.getAxes() == b.getAxes(); }

/// Whether the reduced axes are one row of known length. Only then can a kernel finish row by row;
/// sums over columns are complete at the very end.
bool isRow(NamedTensorType space, ArrayRef<StringAttr> reduced) {
  return reduced.size() == 1 && space.sizeOf(reduced[0].getValue()).isFixed();
}

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
  bool canJoin(const Cluster &cluster, Operation *op) const;
  bool canReduceIn(const Cluster &cluster, Operation *op) const;
  void collectProducers(Operation *op, llvm::SmallSetVector<unsigned, 8> &producers) const;

  const KernelOptions &options;
  SmallVector<Cluster> clusters;
  DenseMap<Operation *, unsigned> clusterOf;
  /// For each cluster, all clusters that it reads from, directly or not.
  SmallVector<llvm::SmallDenseSet<unsigned>> dependencies;
};
} // namespace

/// Free ops need none, unless what they compute leaves the function as it is.
bool Clustering::needsKernel(Operation *op) const {
  if (isa<ReadOp, WriteOp, KernelOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->use_empty())
    return false;
  return !isFree(op) || llvm::any_of(op->getUsers(), [](Operation *user) {
    return isa<WriteOp, func::ReturnOp>(user);
  });
}

/// The clusters that `op` reads from, looking through free ops.
void Clustering::collectProducers(Operation *op,
                                  llvm::SmallSetVector<unsigned, 8> &producers) const {
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

void Clustering::place(Operation *op) {
  llvm::SmallSetVector<unsigned, 8> producers;
  collectProducers(op, producers);
  auto wouldCycle = [&](unsigned target) {
    return llvm::any_of(
        producers, [&](unsigned p) { return p != target && dependencies[p].contains(target); });
  };
  // The latest producer comes first: it has the fewest values still to wait for.
  SmallVector<unsigned> candidates(producers.begin(), producers.end());
  llvm::sort(candidates, std::greater<>());
  auto *home = llvm::find_if(
      candidates, [&](unsigned c) { return !wouldCycle(c) && canJoin(clusters[c], op); });
  unsigned target = home == candidates.end() ? clusters.size() : *home;
  if (target == clusters.size()) {
    clusters.push_back({anchorOf(op), {}, spaceOf(op), reducedAxes(op)});
    dependencies.emplace_back();
  } else if (SmallVector<StringAttr> reduced = reducedAxes(op); !reduced.empty()) {
    clusters[target].reduced = reduced;
    if (clusters[target].anchor == "pointwise")
      clusters[target].anchor = "reduction";
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
}

/// Whether a row op may reduce inside a cluster: the same rows, and rows short enough for the
/// cluster's kind.
bool Clustering::canReduceIn(const Cluster &cluster, Operation *op) const {
  SmallVector<StringAttr> reduced = reducedAxes(op);
  if (!sameAxes(cluster.space, spaceOf(op)) || !isRow(cluster.space, reduced) ||
      (!cluster.reduced.empty() && cluster.reduced != reduced))
    return false;
  if (cluster.anchor == "contraction")
    return isa<LayerNormOp>(op) &&
           cluster.space.sizeOf(reduced[0].getValue()).getFactor() <= options.layerNormRowLimit;
  return true;
}

bool Clustering::canJoin(const Cluster &cluster, Operation *op) const {
  if (!llvm::is_contained({"pointwise", "reduction", "contraction"}, cluster.anchor))
    return false;
  if (!options.fuseEpilogues && cluster.anchor != "pointwise")
    return false;
  if (!reducedAxes(op).empty())
    return options.fuseEpilogues && canReduceIn(cluster, op);
  if (!op->hasTrait<Pointwise>())
    return false;
  NamedTensorType space = spaceOf(op);
  if (sameAxes(space, cluster.space))
    return cluster.reduced.empty() || isRow(cluster.space, cluster.reduced);
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
  return llvm::map_to_vector(order, [&](unsigned c) { return std::move(clusters[c]); });
}

SmallVector<Cluster> passes::clusterOps(Block &block, const KernelOptions &options) {
  return Clustering(block, options).take();
}
