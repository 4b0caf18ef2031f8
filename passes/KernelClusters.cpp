#include "passes/KernelClusters.h"

#include "ir/Entries.h"
#include "passes/ClusterRules.h"
#include "passes/KernelOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

/// Recomputed ops need none, unless what they compute leaves the function as it is.
static bool needsKernel(Operation *op) {
  if (isa<ReadOp, WriteOp, KernelOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->use_empty())
    return false;
  return !isRecomputed(op) || llvm::any_of(op->getUsers(), [](Operation *user) {
    return isa<WriteOp, func::ReturnOp>(user);
  });
}

/// Makes a cluster the kind of kernel that it is with `op`.
static void extend(Cluster &cluster, Operation *op) {
  if (SmallVector<StringAttr> reduced = reducedAxes(op); !reduced.empty()) {
    cluster.reduced = reduced;
    if (cluster.anchor == "pointwise")
      cluster.anchor = "reduction";
  } else if (isa<ContractOp>(op)) {
    cluster.space = spaceOf(op); // of what follows the second contraction
  }
}

namespace {
class Clustering {
public:
  Clustering(Block &block, const KernelOptions &options)
      : rules(graph, options,
              llvm::any_of(block, [](Operation &op) { return bool(entriesOf(&op)); })) {
    for (Operation &op : block)
      if (needsKernel(&op))
        place(&op);
  }

  Clustering(const Clustering &) = delete;

  SmallVector<Cluster> take();

private:
  void place(Operation *op);
  SmallVector<unsigned> candidatesFor(Operation *op, const ClusterSet &producers) const;
  void merge(unsigned from, unsigned into);
  void decide(Operation *op, StringRef what, unsigned other, std::string why);

  ClusterGraph graph;
  ClusterRules rules;
  SmallVector<Decision> decisions;
};
} // namespace

void Clustering::decide(Operation *op, StringRef what, unsigned other, std::string why) {
  std::string name = op->getName().stripDialect().str();
  decisions.push_back({op, name + what.str(), graph[other].ops.front(), std::move(why)});
}

/// The clusters that `op` could join. A contraction comes first, since its result is in registers;
/// then the latest producer, which has the fewest values still to wait for; then what reads the
/// same.
SmallVector<unsigned> Clustering::candidatesFor(Operation *op, const ClusterSet &producers) const {
  auto isContraction = [&](unsigned cluster) { return graph[cluster].anchor == "contraction"; };
  SmallVector<unsigned> candidates(producers.begin(), producers.end());
  llvm::sort(candidates, [&](unsigned a, unsigned b) {
    return std::pair(isContraction(a), a) > std::pair(isContraction(b), b);
  });
  llvm::copy_if(graph.siblingsOf(op), std::back_inserter(candidates), [&](unsigned sibling) {
    return !producers.contains(sibling) && !isContraction(sibling);
  });
  return candidates;
}

void Clustering::place(Operation *op) {
  rules.meet(op);
  ClusterSet producers = graph.producersOf(op);
  SmallVector<unsigned> candidates = candidatesFor(op, producers);
  SmallVector<std::string> refusals;
  auto *home = llvm::find_if(candidates, [&](unsigned cluster) {
    refusals.push_back(rules.whyNotJoin(cluster, op, producers));
    return refusals.back().empty();
  });
  bool joins = home != candidates.end();
  unsigned cluster =
      joins ? *home : graph.add({anchorOf(op), {}, spaceOf(op), reducedAxes(op), {}});
  if (!producers.empty() && !refusals[0].empty())
    decide(op, " is not part of ", candidates[0], refusals[0]);
  else if (joins && !op->hasTrait<Pointwise>())
    decide(op, " joins the kernel of ", cluster, "");
  if (joins)
    extend(graph[cluster], op);
  graph.append(cluster, op, producers);

  for (unsigned producer : producers) {
    if (producer == cluster || !isElementwise(graph[producer].anchor))
      continue;
    if (std::string why = rules.whyNotMerge(producer, cluster); why.empty())
      merge(producer, cluster);
    else if (joins && !graph[producer].space.isScalar())
      decide(op, " reads from memory the results of ", producer, why);
  }
}

void Clustering::merge(unsigned from, unsigned into) {
  if (graph[from].anchor == "scatter")
    graph[into].anchor = "scatter";
  graph.merge(from, into);
}

SmallVector<Cluster> Clustering::take() {
  for (Decision &decision : decisions) {
    unsigned own = *graph.clusterOf(decision.op);
    bool isMoot = !decision.why.empty() && own == graph.clusterOf(decision.other); // they met later
    if (!isMoot)
      graph[own].decisions.push_back(std::move(decision));
  }
  return llvm::map_to_vector(graph.order(), [&](unsigned c) { return std::move(graph[c]); });
}

SmallVector<Cluster> passes::clusterOps(Block &block, const KernelOptions &options) {
  return Clustering(block, options).take();
}
