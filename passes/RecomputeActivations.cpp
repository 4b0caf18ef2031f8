//===- RecomputeActivations.cpp - Compute anew what is slower to read -----===//
//
// The backward pass reads much of an activation that the forward pass knows: of a GELU its two
// factors and their slopes, each as large as the activation itself. They come of one tensor, by
// arithmetic that takes less time than to write all of them and to read them back.
//
// 1. Group the ops into kernels, as form-kernels will. What follows looks at one kernel of
//    pointwise ops after the other, and at those of its values that pointwise ops of later kernels
//    read over the same axes.
// 2. Price what these could take instead. A value that is kept costs to be written and read, if
//    nobody else has it in memory anyway; an op that is computed again costs its arithmetic, and
//    what the kernel had read, to be read.
// 3. A minimum cut says what to do: a later kernel needs a value, which is kept, or whose op is
//    computed again and needs its operands in turn.
// 4. Clone what is computed again in front of the first op of each later kernel that reads it, as a
//    group with a mark, so that no other kernel takes it in.
//
// Test: tests/passes/recompute-activations.mlir.
//
//===----------------------------------------------------------------------===//

#include "passes/RecomputeActivations.h"

#include "passes/ComputeAgain.h"
#include "passes/MinCut.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

namespace {
// What an element costs, in reads of one from memory: a vector of 8 takes an AVX2 core some 40
// instructions' time, and elementary functions have 15 to 50.
constexpr double reading = 1, writing = 2, keeping = 1, function = 1, arithmetic = 0.05;

using ClusterOf = DenseMap<Operation *, unsigned>;

/// What later kernels need of the values of one kernel.
class Activations {
public:
  Activations(const Cluster &cluster, ClusterOf &clusterOf);

  /// The ops to be computed again; none if that does not pay.
  llvm::DenseSet<Operation *> chosen() const;
  /// Computes them again for each later kernel, as a group with a number of its own.
  void clone(const llvm::DenseSet<Operation *> &chosen, int64_t &groups);

private:
  void collect(const Cluster &cluster);
  bool isLater(OpOperand &use) const;
  SmallVector<OpOperand *> usesOf(Value value) const;
  llvm::SetVector<Value> readBy(Operation *op) const;
  bool isStored(Value value) const;
  bool isCompared(Value value) const;
  double costToKeep(Value value) const;
  double costToCompute(Operation *op) const;

  ArrayRef<Axis> axes;
  ClusterOf &clusterOf;
  llvm::SetVector<Operation *> ops;          // in program order
  llvm::SmallSetVector<unsigned, 2> readers; // numbers of the later kernels
  Operation *firstLater = nullptr;           // of their ops
};
} // namespace

Activations::Activations(const Cluster &cluster, ClusterOf &clusterOf)
    : axes(cluster.space.getAxes()), clusterOf(clusterOf) {
  collect(cluster);
  for (Operation *op : ops)
    for (OpOperand &use : op->getUses())
      if (isLater(use)) {
        readers.insert(clusterOf.at(use.getOwner()));
        if (!firstLater || use.getOwner()->isBeforeInBlock(firstLater))
          firstLater = use.getOwner();
      }
}

/// The kernel's ops, and those that each kernel computes for itself from what this one gives.
void Activations::collect(const Cluster &cluster) {
  auto isFree = [&](Operation *op) {
    return !clusterOf.contains(op) && !op->hasAttr(recomputedMark) && op->hasTrait<Pointwise>() &&
           tensorType(op->getResult(0)).getAxes() == axes;
  };
  llvm::SetVector<Operation *> found(cluster.ops.begin(), cluster.ops.end());
  for (size_t next = 0; next < found.size(); ++next)
    for (Operation *user : found[next]->getUsers())
      if (isFree(user))
        found.insert(user);
  SmallVector<Operation *> sorted = found.takeVector();
  llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ops.insert(sorted.begin(), sorted.end());
}

/// Whether a later kernel would read the value element by element, beside what it computes.
bool Activations::isLater(OpOperand &use) const {
  Operation *user = use.getOwner();
  return clusterOf.contains(user) && !ops.contains(user) && !user->hasAttr(recomputedMark) &&
         user->hasTrait<Pointwise>() && tensorType(user->getResult(0)).getAxes() == axes;
}

/// The uses of a value, also through ops that each kernel computes for itself.
SmallVector<OpOperand *> Activations::usesOf(Value value) const {
  SmallVector<OpOperand *> uses;
  llvm::SetVector<Value> open;
  open.insert(value);
  for (size_t next = 0; next < open.size(); ++next)
    for (OpOperand &use : open[next].getUses()) {
      Operation *user = use.getOwner();
      bool isFree = !clusterOf.contains(user) && !user->hasAttr(recomputedMark);
      if (isFree && user->getNumResults() > 0)
        open.insert(user->result_begin(), user->result_end());
      else
        uses.push_back(&use);
    }
  return uses;
}

/// Whether a value of the kernel is in memory whatever later kernels compute again.
bool Activations::isStored(Value value) const {
  return llvm::any_of(usesOf(value), [&](OpOperand *use) {
    bool isOwn = ops.contains(use->get().getDefiningOp());
    return !ops.contains(use->getOwner()) && !(isOwn && isLater(*use));
  });
}

/// Whether a maximum is taken of a value. Computed twice, a number may differ in its last bit, and
/// the maximum equal none of what it was taken from.
bool Activations::isCompared(Value value) const {
  return llvm::any_of(usesOf(value), [](OpOperand *use) {
    auto reduce = dyn_cast<ReduceOp>(use->getOwner());
    return reduce && reduce.getKind() != "sum";
  });
}

/// What it costs to have what the kernel reads in memory when the first later kernel runs: of a
/// variable, too, whose new value could not take the old one's place.
double Activations::costToKeep(Value value) const {
  Operation *producer = value.getDefiningOp();
  if (producer && producer->hasAttr(recomputedMark))
    return writing + keeping;
  bool isReadLater = !producer || llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !user->isBeforeInBlock(firstLater);
  });
  return isReadLater ? 0 : keeping;
}

double Activations::costToCompute(Operation *op) const {
  if (!clusterOf.contains(op))
    return 0;
  if (isCompared(op->getResult(0)))
    return MinCut::infinite;
  return double(readers.size()) * (isExpensive(op) ? function : arithmetic);
}

/// What an op reads over the same axes, also through ops that each kernel computes for itself.
llvm::SetVector<Value> Activations::readBy(Operation *op) const {
  llvm::SetVector<Value> open, read;
  open.insert(op->operand_begin(), op->operand_end());
  for (size_t next = 0; next < open.size(); ++next) {
    Operation *producer = open[next].getDefiningOp();
    if (producer && !ops.contains(producer) && isRecomputed(producer))
      open.insert(producer->operand_begin(), producer->operand_end());
    else if (tensorType(open[next]).getAxes() == axes)
      read.insert(open[next]);
  }
  return read;
}

llvm::DenseSet<Operation *> Activations::chosen() const {
  if (readers.empty())
    return {};
  const double reads = double(readers.size()) * reading;
  MinCut network;
  DenseMap<Value, unsigned> values;
  auto read = [&](Value value) {
    auto [known, isNew] = values.try_emplace(value);
    if (isNew) {
      known->second = network.addNode();
      network.addEdge(MinCut::source, known->second, reads + costToKeep(value));
    }
    return known->second;
  };
  DenseMap<Operation *, unsigned> nodes;
  for (Operation *op : ops) {
    unsigned node = nodes[op] = network.addNode();
    network.addEdge(MinCut::source, node, costToCompute(op));
    for (Value operand : readBy(op))
      network.addEdge(read(operand), node, MinCut::infinite);
    Value value = op->getResult(0);
    unsigned own = values[value] = network.addNode();
    bool isKernels = clusterOf.contains(op);
    network.addEdge(node, own,
                    isKernels ? reads + (isStored(value) ? 0 : writing + keeping)
                              : MinCut::infinite);
    if (llvm::any_of(value.getUses(), [&](OpOperand &use) { return isLater(use); }))
      network.addEdge(own, MinCut::sink, MinCut::infinite);
  }
  SmallVector<bool> after = network.sinkSide();
  llvm::DenseSet<Operation *> found;
  for (Operation *op : ops) {
    bool isKernels = clusterOf.contains(op),
         readsFound = llvm::any_of(op->getOperands(),
                                   [&](Value x) { return found.contains(x.getDefiningOp()); });
    if (after[nodes[op]] && (isKernels || readsFound)) // free ops are computed anew anyway
      found.insert(op);
  }
  return found;
}

void Activations::clone(const llvm::DenseSet<Operation *> &chosen, int64_t &groups) {
  for (unsigned reader : readers) {
    Attribute group = Builder(firstLater).getI64IntegerAttr(groups++);
    llvm::SmallDenseSet<Operation *> clones;
    for (Operation *op : llvm::reverse(ops)) { // the clone of a reader is one, too
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : op->getUses())
        if (clones.contains(use.getOwner()) ||
            (isLater(use) && clusterOf.at(use.getOwner()) == reader))
          uses.push_back(&use);
      if (!chosen.contains(op) || uses.empty())
        continue;
      Operation *again = computeAgain(op, uses, group);
      clones.insert(again);
      if (clusterOf.contains(op))
        remarkDone(again, "recompute-activations",
                   op->getName().stripDialect() +
                       " is computed again where it is read, which takes "
                       "less time than to keep it");
    }
  }
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty()) {
      clusterOf.erase(op);
      op->erase();
    }
}

static void recompute(func::FuncOp function, const KernelOptions &options) {
  if (function.isExternal())
    return;
  SmallVector<Cluster> clusters = clusterOps(function.getBody().front(), options);
  ClusterOf clusterOf;
  for (auto [number, cluster] : llvm::enumerate(clusters))
    for (Operation *op : cluster.ops)
      clusterOf[op] = number;
  int64_t groups = 0;
  for (const Cluster &cluster : clusters) {
    auto suits = [&](Operation *op) {
      return op->hasTrait<Pointwise>() && !op->hasAttr(recomputedMark) &&
             tensorType(op->getResult(0)).getAxes() == cluster.space.getAxes();
    };
    if (cluster.space.isScalar() || !llvm::all_of(cluster.ops, suits))
      continue;
    Activations activations(cluster, clusterOf);
    activations.clone(activations.chosen(), groups);
  }
}

namespace {
struct RecomputeActivations : PassWrapper<RecomputeActivations, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RecomputeActivations)

  RecomputeActivations(const KernelOptions &options = {}) : options(options) {}
  StringRef getArgument() const override { return "recompute-activations"; }
  StringRef getDescription() const override { return "compute anew what is slower to read"; }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      recompute(function, options);
  }

  KernelOptions options;
};
} // namespace

std::unique_ptr<Pass> passes::createRecomputeActivations(const KernelOptions &options) {
  return std::make_unique<RecomputeActivations>(options);
}
