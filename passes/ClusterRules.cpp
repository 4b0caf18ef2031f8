#include "passes/ClusterRules.h"

#include "passes/ComputeAgain.h"
#include "passes/KernelOps.h"
#include "passes/Remarks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

static bool sameAxes(NamedTensorType a, NamedTensorType b) { return a.getAxes() == b.getAxes(); }

static std::string axesText(NamedTensorType type) {
  return "[" +
         llvm::join(
             llvm::map_range(type.getAxes(), [](const Axis &axis) { return axis.name.str(); }),
             ", ") +
         "]";
}

static std::string otherAxes(NamedTensorType own, NamedTensorType clusters) {
  return "it works over " + axesText(own) + ", that kernel over " + axesText(clusters);
}

constexpr llvm::StringLiteral betweenThem = "another kernel stands between them";
constexpr llvm::StringLiteral sumsAtTheEnd =
    "sums over the entries of a ragged batch are complete at a kernel's end only";
constexpr llvm::StringLiteral needsOthers =
    "kernels of ragged tensors see one entry of the batch at a time, and an op needs others";
constexpr llvm::StringLiteral computedAgain = "it is computed again instead of being kept";
constexpr llvm::StringLiteral copiesFirst =
    "an old value is copied before the variable is overwritten";
constexpr llvm::StringLiteral placesOfRows =
    "nothing joins what is scattered to places of each row's own";
constexpr llvm::StringLiteral epiloguesAreOff = "fuse-epilogues is off";
constexpr llvm::StringLiteral tooManyTensors = "one kernel cannot read and write as many tensors";
constexpr llvm::StringLiteral tooComplex = "one kernel of all these ops would take long to compile";

/// Whether an op has the mark of ops that join no kernel from before the first of them.
static bool isAfterTurn(Operation *op) { return op->hasAttrOfType<UnitAttr>(recomputedMark); }

/// The mark of ops that join only each other; null if an op has none.
static Attribute groupOf(Operation *op) { return op->getAttrOfType<IntegerAttr>(recomputedMark); }

void ClusterRules::meet(Operation *op) {
  if (!closed && isAfterTurn(op))
    closed = graph.size();
}

/// Whether a cluster may be what an op computes again, or computes other such ops.
bool ClusterRules::isOtherThan(Operation *op, unsigned index) const {
  if (isAfterTurn(op))
    return isClosed(index);
  return groupOf(op) && llvm::none_of(graph[index].ops,
                                      [&](Operation *own) { return groupOf(own) == groupOf(op); });
}

/// The work of compiling an op: functions are polynomials, and rows are gone through several times.
static unsigned complexityOf(Operation *op) {
  return !reducedAxes(op).empty() ? 16 : isExpensive(op) ? 8 : 1;
}

StringRef ClusterRules::whyTooLarge(ArrayRef<Operation *> ops, ArrayRef<Operation *> more) const {
  // Tables of the runtime have room for 32 scalars, in which sizes need some, too.
  constexpr unsigned mostScalars = 24;
  // As whose cube the time of compiling grows: up to about a second.
  constexpr unsigned mostComplexity = 192, complexityOfResult = 8;
  SmallVector<Operation *> all(ops);
  llvm::append_range(all, more);
  ClusterGraph::Operands operands = graph.operandsOf(all);
  if (operands.tensors > mostTensors || operands.scalars > mostScalars)
    return tooManyTensors;
  unsigned complexity = operands.results * complexityOfResult;
  for (Operation *op : all)
    complexity += complexityOf(op);
  return complexity > mostComplexity ? StringRef(tooComplex) : "";
}

std::string ClusterRules::whyNotJoin(unsigned index, Operation *op,
                                     const ClusterSet &producers) const {
  const Cluster &cluster = graph[index];
  if (llvm::any_of(producers, [&](unsigned p) { return p != index && graph.dependsOn(p, index); }))
    return betweenThem.str();
  if (isOtherThan(op, index))
    return computedAgain.str();
  if (copiesVariable(op))
    return copiesFirst.str();
  if (isRagged && !canGoByEntry(cluster.ops, op))
    return needsOthers.str();
  bool hasShares = isRagged && llvm::any_of(cluster.ops, sumsEntries);
  if (auto contract = dyn_cast<ContractOp>(op)) {
    std::string why = hasShares ? sumsAtTheEnd.str() : whyNoFeedForward(index, contract);
    return why.empty() ? whyTooLarge(cluster.ops, op).str() : why;
  }
  if (!llvm::is_contained({"pointwise", "scatter", "reduction", "contraction"}, cluster.anchor))
    return "nothing joins " + cluster.anchor.str();
  if (StringRef why = whyTooLarge(cluster.ops, op); !why.empty())
    return why.str();
  if (!options.fuseEpilogues && (cluster.anchor != "pointwise" || !reducedAxes(op).empty()))
    return epiloguesAreOff.str();
  if (hasShares && (!sumsEntries(op) || producers.contains(index)))
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

std::string ClusterRules::whyNotMerge(unsigned from, unsigned into) const {
  const Cluster &a = graph[from], &b = graph[into];
  auto mayBeRepeated = [&](Operation *op) { return isOtherThan(op, from); };
  bool isTurn = isClosed(from) && llvm::any_of(b.ops, isAfterTurn);
  if (isTurn || llvm::all_of(b.ops, mayBeRepeated))
    return computedAgain.str();
  if (!sameAxes(a.space, b.space))
    return "that works over " + axesText(a.space) + ", this kernel over " + axesText(b.space);
  if (graph.anyBetween(from, into) || graph.anyBetween(into, from))
    return betweenThem.str();
  if (isRagged && !canGoByEntry(a.ops, b.ops))
    return needsOthers.str();
  if (StringRef why = whyTooLarge(a.ops, b.ops); !why.empty())
    return why.str();
  for (const Cluster *cluster : {&a, &b}) {
    if (isRagged && llvm::is_contained({"contraction", "scatter"}, cluster->anchor) &&
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
    if (Value value = op->getResult(0); !graph.onlyUsedIn(value, {from, into}))
      return "that goes to memory anyway, for " + usersOf(value);
  return "";
}

/// Why a row op may not reduce inside a cluster: it would along the same rows, if they are short
/// enough for the cluster's kind; or in sums over the same columns.
std::string ClusterRules::whyNotReduceIn(const Cluster &cluster, Operation *op) const {
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

/// Whether `op` takes a value of the cluster over, alone or as the first of ops that will, so that
/// it never goes to memory.
bool ClusterRules::takesOver(unsigned cluster, Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return graph.clusterOf(operand.getDefiningOp()) == cluster &&
           (graph.onlyUsedIn(operand, cluster, op) || joinsAgain(operand));
  });
}

/// The same in words.
std::string ClusterRules::whyNotTakeOver(unsigned cluster, Operation *op) const {
  if (takesOver(cluster, op))
    return "";
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp(); graph.clusterOf(producer) == cluster)
      return nameOf(producer) + " goes to memory anyway, for " + usersOf(operand);
  return "it reads nothing of that kernel as it is";
}

/// The kernel of two contractions would be one if `op` sums over the columns of the cluster's
/// contraction: the hidden activations of a feed-forward block, which are short enough to stay in
/// cache and which nobody else reads. Where somebody does, as the backward pass does in training,
/// they go to memory anyway, and reading them back once is cheap beside two contractions.
std::string ClusterRules::whyNoFeedForward(unsigned index, ContractOp op) const {
  const Cluster &cluster = graph[index];
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
  Operation *producer = weight.getDefiningOp();
  if (isOwn(weight) || (producer && graph.producersOf(producer).contains(index)))
    return "both of its factors come of that, so they are no feed-forward block";
  for (Operation *own : cluster.ops)
    for (Value value : own->getResults())
      if (!graph.onlyUsedIn(value, index, op))
        return nameOf(own) + ", between the two, goes to memory anyway, for " + usersOf(value);
  if (std::string why =
          whyNoActivations(hidden, weight, cast<ContractOp>(*contractions.begin()), op);
      !why.empty())
    return why;
  return options.fuseFeedForward ? "" : "fuse-ffn is off";
}

/// Why what one contraction gives and another one sums over is no hidden activations of a
/// feed-forward block, or too many.
std::string ClusterRules::whyNoActivations(Value hidden, Value weight, ContractOp first,
                                           ContractOp second) const {
  // hidden: [tokens.., over..], weight: [over.., columns..]; over are columns of the first one.
  int64_t elements = 1;
  for (const Axis &axis : tensorType(hidden).getAxes()) {
    bool isColumn =
        tensorType(first.getA()).has(axis.name) != tensorType(first.getB()).has(axis.name) &&
        axis.size().isFixed();
    bool isSummed = llvm::is_contained(second.getOver(), axis.name);
    if (isSummed ? !isColumn : tensorType(weight).has(axis.name))
      return "axis '" + axis.name.str() + "' is none of hidden activations and a weight";
    elements *= isSummed ? axis.size().getFactor() : 1;
  }
  if (elements > options.hiddenLimit)
    return "hidden activations of " + std::to_string(elements) +
           " a token are more than the target's limit of " + std::to_string(options.hiddenLimit);
  return "";
}
