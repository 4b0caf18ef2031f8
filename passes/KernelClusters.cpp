#include "passes/KernelClusters.h"

#include "ir/Entries.h"
#include "ir/SourceLines.h"
#include "passes/KernelOps.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

namespace {
bool isComputedAgain(Operation *op) { return op->hasAttr(recomputedMark); }

bool sameAxes(NamedTensorType a, NamedTensorType b) { return a.getAxes() == b.getAxes(); }

std::string axesText(NamedTensorType type) {
  return "[" +
         llvm::join(
             llvm::map_range(type.getAxes(), [](const Axis &axis) { return axis.name.str(); }),
             ", ") +
         "]";
}

std::string otherAxes(NamedTensorType own, NamedTensorType clusters) {
  return "it works over " + axesText(own) + ", that kernel over " + axesText(clusters);
}

constexpr llvm::StringLiteral sumsAtTheEnd =
    "sums over the entries of a ragged batch are complete at a kernel's end only";
constexpr llvm::StringLiteral needsOthers =
    "kernels of ragged tensors see one entry of the batch at a time, and an op needs others";
constexpr llvm::StringLiteral computedAgain =
    "it is computed again, since the memory budget has no room to keep it";
constexpr llvm::StringLiteral placesOfRows =
    "nothing joins what is scattered to places of each row's own";
constexpr llvm::StringLiteral epiloguesAreOff = "fuse-epilogues is off";

using ClusterSet = llvm::SmallSetVector<unsigned, 8>;

class Clustering {
public:
  Clustering(Block &block, const KernelOptions &options) : options(options) {
    isRagged = llvm::any_of(block, [](Operation &op) { return bool(entriesOf(&op)); });
    for (Operation &op : block)
      if (needsKernel(&op))
        place(&op);
  }

  SmallVector<Cluster> take();

private:
  bool needsKernel(Operation *op) const;
  void place(Operation *op);
  bool takesOver(unsigned cluster, Operation *op) const;
  // Why not, in words for the user; empty if it can be.
  std::string whyNotJoin(unsigned index, Operation *op) const;
  std::string whyNotReduceIn(const Cluster &cluster, Operation *op) const;
  std::string whyNotTakeOver(unsigned cluster, Operation *op) const;
  std::string whyNoFeedForward(unsigned cluster, ContractOp op) const;
  std::string whyNotMerge(unsigned from, unsigned into) const;
  void merge(unsigned from, unsigned into);
  bool onlyUsedIn(Value value, unsigned cluster, Operation *op) const;
  void collectProducers(Operation *op, ClusterSet &producers) const;
  void collectSiblings(Operation *op, ClusterSet &siblings) const;

  const KernelOptions &options;
  bool isRagged; // some tensor or size of the block
  SmallVector<Cluster> clusters;
  DenseMap<Operation *, unsigned> clusterOf;
  /// For each cluster, all clusters that it reads from, directly or not.
  SmallVector<llvm::SmallDenseSet<unsigned>> dependencies;
  /// How many clusters there were before the first op that computes again what one of them did.
  unsigned closed = 0;
  SmallVector<Decision> decisions;
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
  llvm::SetVector<Value> open;
  open.insert(op->operand_begin(), op->operand_end());
  for (size_t next = 0; next < open.size(); ++next) {
    Operation *producer = open[next].getDefiningOp();
    if (!producer)
      continue;
    if (auto found = clusterOf.find(producer); found != clusterOf.end())
      producers.insert(found->second);
    else
      open.insert(producer->operand_begin(), producer->operand_end());
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
  SmallVector<std::string> refusals;
  auto *home = llvm::find_if(candidates, [&](unsigned c) {
    refusals.push_back(wouldCycle(c) ? "another kernel stands between them" : whyNotJoin(c, op));
    return refusals.back().empty();
  });
  unsigned target = home == candidates.end() ? clusters.size() : *home;
  auto decide = [&](StringRef what, unsigned other, const std::string &why) {
    std::string name = op->getName().stripDialect().str();
    decisions.push_back({op, name + what.str(), clusters[other].ops.front(), why});
  };
  if (!producers.empty() && !refusals[0].empty())
    decide(" is not part of ", candidates[0], refusals[0]);
  else if (target < clusters.size() && !op->hasTrait<Pointwise>())
    decide(" joins the kernel of ", target, "");
  if (target == clusters.size()) {
    clusters.push_back({anchorOf(op), {}, spaceOf(op), reducedAxes(op), {}});
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

  for (unsigned producer : producers) {
    if (producer == target || !isElementwise(clusters[producer].anchor))
      continue;
    if (std::string why = whyNotMerge(producer, target); why.empty())
      merge(producer, target);
    else if (home != candidates.end() && !clusters[producer].space.isScalar())
      decide(" reads from memory the results of ", producer, why);
  }
}

/// Why an elementwise cluster may not become part of another one: it would if both are over the
/// same axes, no third one stands between, and it costs no result in memory that there was not
/// before.
std::string Clustering::whyNotMerge(unsigned from, unsigned into) const {
  auto between = [&](unsigned first, unsigned last) {
    return llvm::any_of(dependencies[last],
                        [&](unsigned x) { return x != first && dependencies[x].contains(first); });
  };
  const Cluster &a = clusters[from], &b = clusters[into];
  if (from < closed && llvm::any_of(b.ops, isComputedAgain))
    return computedAgain.str();
  if (!sameAxes(a.space, b.space))
    return "that works over " + axesText(a.space) + ", this kernel over " + axesText(b.space);
  if (between(from, into) || between(into, from))
    return "another kernel stands between them";
  if (isRagged && !canGoByEntry(a.ops, b.ops))
    return needsOthers.str();
  for (const Cluster *cluster : {&a, &b}) {
    if (llvm::is_contained({"contraction", "scatter"}, cluster->anchor) &&
        llvm::any_of(cluster->ops, sumsEntries))
      return sumsAtTheEnd.str();
    if (cluster->anchor == "scatter" && !options.fuseEpilogues)
      return epiloguesAreOff.str();
    if (llvm::any_of(cluster->ops, scattersAlongRows))
      return placesOfRows.str();
  }
  if (isElementwise(b.anchor))
    return "";
  if (a.anchor == "scatter")
    return "what is scattered is complete in a kernel of pointwise ops alone";
  if (b.anchor != "contraction" && (b.anchor != "reduction" || !isRow(b.space, b.reduced)))
    return "no kernel around " + nameOf(b.ops.front()) + " computes what it reads";
  for (Operation *op : a.ops)
    if (Value value = op->getResult(0);
        !onlyUsedIn(value, into, op) && !onlyUsedIn(value, from, op))
      return "that goes to memory anyway, for " + usersOf(value);
  return "";
}

void Clustering::merge(unsigned from, unsigned into) {
  if (clusters[from].anchor == "scatter")
    clusters[into].anchor = "scatter";
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

/// Why a row op may not reduce inside a cluster: it would along the same rows, if they are short
/// enough for the cluster's kind; or in sums over the same columns.
std::string Clustering::whyNotReduceIn(const Cluster &cluster, Operation *op) const {
  SmallVector<StringAttr> reduced = reducedAxes(op);
  if (!sameAxes(cluster.space, spaceOf(op)))
    return otherAxes(spaceOf(op), cluster.space);
  if (!cluster.reduced.empty() && cluster.reduced != reduced)
    return "that reduces along other axes";
  if (!isRow(cluster.space, reduced))
    return cluster.reduced == reduced ? "" : "sums over columns join others over them alone";
  if (cluster.anchor != "contraction")
    return "";
  if (!isa<LayerNormOp>(op))
    return "behind a contraction, only layer_norm goes along rows";
  int64_t row = cluster.space.sizeOf(reduced[0].getValue()).getFactor();
  if (row > options.layerNormRowLimit)
    return "rows of " + std::to_string(row) + " are longer than the target's limit of " +
           std::to_string(options.layerNormRowLimit);
  return "";
}

/// Whether nobody but `op` and the cluster reads the value, looking through recomputed ops.
bool Clustering::onlyUsedIn(Value value, unsigned cluster, Operation *op) const {
  llvm::SetVector<Value> open;
  open.insert(value);
  for (size_t next = 0; next < open.size(); ++next)
    for (Operation *user : open[next].getUsers()) {
      auto found = clusterOf.find(user);
      if (user == op || (found != clusterOf.end() && found->second == cluster))
        continue;
      if (found != clusterOf.end() || user->hasTrait<OpTrait::IsTerminator>() ||
          isa<WriteOp>(user) || !isRecomputed(user))
        return false;
      open.insert(user->result_begin(), user->result_end());
    }
  return true;
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

/// The same in words.
std::string Clustering::whyNotTakeOver(unsigned cluster, Operation *op) const {
  if (takesOver(cluster, op))
    return "";
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      if (auto found = clusterOf.find(producer);
          found != clusterOf.end() && found->second == cluster)
        return nameOf(producer) + " goes to memory anyway, for " + usersOf(operand);
  return "it reads nothing of that kernel as it is";
}

/// The kernel of two contractions would be one if `op` sums over the columns of the cluster's
/// contraction: the hidden activations of a feed-forward block, which are short enough to stay in
/// cache and which nobody else reads. Where somebody does, as the backward pass does in training,
/// they go to memory anyway, and reading them back once is cheap beside two contractions.
std::string Clustering::whyNoFeedForward(unsigned index, ContractOp op) const {
  const Cluster &cluster = clusters[index];
  auto contractions = llvm::make_filter_range(cluster.ops, llvm::IsaPred<ContractOp>);
  if (cluster.anchor != "contraction")
    return "a contraction joins that of another one alone, as a feed-forward block";
  if (std::distance(contractions.begin(), contractions.end()) != 1)
    return "that is a feed-forward block already";
  if (!cluster.reduced.empty())
    return "rows are normalized between the two, so they are no feed-forward block";
  auto isOwn = [&](Value value) { return llvm::is_contained(cluster.ops, value.getDefiningOp()); };
  Value hidden = isOwn(op.getA()) ? op.getA() : op.getB();
  Value weight = isOwn(op.getA()) ? op.getB() : op.getA();
  if (!isOwn(hidden) || !sameAxes(tensorType(hidden), cluster.space))
    return "it does not read that as it is, so they are no feed-forward block";
  ClusterSet behindWeight;
  if (Operation *producer = weight.getDefiningOp())
    collectProducers(producer, behindWeight);
  if (isOwn(weight) || behindWeight.contains(index))
    return "both of its factors come of that, so they are no feed-forward block";
  for (Operation *own : cluster.ops)
    for (Value value : own->getResults())
      if (!onlyUsedIn(value, index, op))
        return nameOf(own) + ", between the two, goes to memory anyway, for " + usersOf(value);
  // hidden: [tokens.., over..], weight: [over.., columns..]; over are columns of the first one.
  auto first = cast<ContractOp>(*contractions.begin());
  int64_t elements = 1;
  for (const Axis &axis : tensorType(hidden).getAxes()) {
    bool isColumn =
        tensorType(first.getA()).has(axis.name) != tensorType(first.getB()).has(axis.name) &&
        axis.size().isFixed();
    bool isSummed = llvm::is_contained(op.getOver(), axis.name);
    if (isSummed ? !isColumn : tensorType(weight).has(axis.name))
      return "axis '" + axis.name.str() + "' is none of hidden activations and a weight";
    elements *= isSummed ? axis.size().getFactor() : 1;
  }
  if (elements > options.hiddenLimit)
    return "hidden activations of " + std::to_string(elements) +
           " a token are more than the target's limit of " + std::to_string(options.hiddenLimit);
  return options.fuseFeedForward ? "" : "fuse-ffn is off";
}

std::string Clustering::whyNotJoin(unsigned index, Operation *op) const {
  const Cluster &cluster = clusters[index];
  if (index < closed && isComputedAgain(op))
    return computedAgain.str();
  if (isRagged && !canGoByEntry(cluster.ops, op))
    return needsOthers.str();
  if (auto contract = dyn_cast<ContractOp>(op))
    return whyNoFeedForward(index, contract);
  if (!llvm::is_contained({"pointwise", "scatter", "reduction", "contraction"}, cluster.anchor))
    return "nothing joins " + cluster.anchor.str();
  if (!options.fuseEpilogues && (cluster.anchor != "pointwise" || !reducedAxes(op).empty()))
    return epiloguesAreOff.str();
  if (llvm::any_of(cluster.ops, sumsEntries) && (!sumsEntries(op) || takesOver(index, op)))
    return sumsAtTheEnd.str();
  if (llvm::any_of(cluster.ops, scattersAlongRows))
    return placesOfRows.str();
  if (cluster.anchor == "scatter" && !op->hasTrait<Pointwise>())
    return "only pointwise ops join scatter";
  if (!reducedAxes(op).empty())
    return whyNotReduceIn(cluster, op);
  if (!op->hasTrait<Pointwise>())
    return "it is neither pointwise nor goes along rows";
  bool sumsColumns = !cluster.reduced.empty() && !isRow(cluster.space, cluster.reduced);
  if (cluster.anchor == "contraction" || sumsColumns)
    if (std::string why = whyNotTakeOver(index, op); !why.empty())
      return why;
  NamedTensorType space = spaceOf(op);
  if (sameAxes(space, cluster.space))
    return sumsColumns ? "sums over columns are complete at a kernel's end only" : "";
  bool followsRows =
      !cluster.reduced.empty() && sameAxes(space, cluster.space.without(cluster.reduced));
  return followsRows ? "" : otherAxes(space, cluster.space);
}

/// Clusters in an order in which each comes after those that it reads from, early ones first.
SmallVector<Cluster> Clustering::take() {
  for (Decision &decision : decisions) {
    unsigned own = clusterOf[decision.op];
    bool isMoot = !decision.why.empty() && own == clusterOf[decision.other]; // they met later
    if (!isMoot)
      clusters[own].decisions.push_back(std::move(decision));
  }
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
