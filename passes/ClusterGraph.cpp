#include "passes/ClusterGraph.h"

#include "passes/KernelOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

std::optional<unsigned> ClusterGraph::clusterOf(Operation *op) const {
  auto found = op ? numberOf.find(op) : numberOf.end();
  return found == numberOf.end() ? std::nullopt : std::optional(found->second);
}

void ClusterGraph::forEachOperand(ArrayRef<Operation *> ops,
                                  llvm::function_ref<void(Value)> visit) const {
  llvm::SetVector<Value> open;
  for (Operation *op : ops)
    open.insert(op->operand_begin(), op->operand_end());
  for (size_t next = 0; next < open.size(); ++next) {
    visit(open[next]);
    Operation *producer = open[next].getDefiningOp();
    if (producer && !clusterOf(producer))
      open.insert(producer->operand_begin(), producer->operand_end());
  }
}

ClusterSet ClusterGraph::producersOf(Operation *op) const {
  ClusterSet producers;
  forEachOperand(op, [&](Value operand) {
    if (std::optional<unsigned> cluster = clusterOf(operand.getDefiningOp()))
      producers.insert(*cluster);
  });
  return producers;
}

ClusterSet ClusterGraph::siblingsOf(Operation *op) const {
  ClusterSet siblings;
  for (Value operand : op->getOperands())
    if (!tensorType(operand).isScalar())
      for (Operation *user : operand.getUsers())
        if (std::optional<unsigned> cluster = clusterOf(user))
          siblings.insert(*cluster);
  return siblings;
}

bool ClusterGraph::anyBetween(unsigned earlier, unsigned later) const {
  return llvm::any_of(dependencies[later].set_bits(), [&](unsigned other) {
    return other != earlier && dependsOn(other, earlier);
  });
}

bool ClusterGraph::onlyUsedIn(Value value, ArrayRef<unsigned> clusters, Operation *op) const {
  llvm::SetVector<Value> open;
  open.insert(value);
  for (size_t next = 0; next < open.size(); ++next)
    for (Operation *user : open[next].getUsers()) {
      std::optional<unsigned> reader = clusterOf(user);
      if (user == op || (reader && llvm::is_contained(clusters, *reader)))
        continue;
      if (reader || user->hasTrait<OpTrait::IsTerminator>() || isa<WriteOp>(user) ||
          !isRecomputed(user))
        return false;
      open.insert(user->result_begin(), user->result_end());
    }
  return true;
}

ClusterGraph::Operands ClusterGraph::operandsOf(ArrayRef<Operation *> ops) const {
  Operands found;
  llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  auto isOutside = [&](Operation *user) { return !own.contains(user); };
  for (Operation *op : ops)
    found.results += llvm::count_if(
        op->getResults(), [&](Value result) { return llvm::any_of(result.getUsers(), isOutside); });
  found.tensors = found.results;
  llvm::SetVector<Value> open;
  for (Operation *op : ops)
    open.insert(op->operand_begin(), op->operand_end());
  for (size_t next = 0; next < open.size(); ++next) {
    Operation *producer = open[next].getDefiningOp();
    if (own.contains(producer))
      continue;
    // What is recomputed is so where it has a kernel of its own, too.
    if (!producer || !isRecomputed(producer)) {
      ++found.tensors;
      continue;
    }
    found.scalars += isa<RandomOp>(producer); // it has one of its own
    open.insert(producer->operand_begin(), producer->operand_end());
  }
  return found;
}

unsigned ClusterGraph::add(Cluster cluster) {
  clusters.push_back(std::move(cluster));
  dependencies.emplace_back();
  return clusters.size() - 1;
}

void ClusterGraph::append(unsigned cluster, Operation *op, const ClusterSet &producers) {
  clusters[cluster].ops.push_back(op);
  numberOf[op] = cluster;
  llvm::BitVector added(clusters.size());
  for (unsigned producer : producers) {
    if (producer == cluster)
      continue;
    added.set(producer);
    added |= dependencies[producer];
  }
  if (!added.test(dependencies[cluster])) // it waits for all of these already
    return;
  dependencies[cluster] |= added;
  for (unsigned later = 0; later < clusters.size(); ++later)
    if (dependsOn(later, cluster))
      dependencies[later] |= added;
}

void ClusterGraph::merge(unsigned from, unsigned into) {
  assert(!anyBetween(from, into) && !anyBetween(into, from));
  for (Operation *op : clusters[from].ops)
    numberOf[op] = into;
  clusters[into].ops.append(clusters[from].ops);
  llvm::sort(clusters[into].ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  clusters[from].ops.clear();
  llvm::BitVector both(clusters.size());
  both |= dependencies[from];
  both |= dependencies[into];
  both.reset(from).reset(into);
  dependencies[from].clear();
  dependencies[into] = both;
  for (unsigned later = 0; later < clusters.size(); ++later) {
    if (!dependsOn(later, from) && !dependsOn(later, into))
      continue;
    dependencies[later] |= both;
    dependencies[later].set(into);
    if (dependsOn(later, from))
      dependencies[later].reset(from);
  }
}

SmallVector<unsigned> ClusterGraph::order() const {
  SmallVector<unsigned> waitsFor =
      llvm::map_to_vector(dependencies, [](const llvm::BitVector &all) { return all.count(); });
  llvm::BitVector ready(clusters.size());
  for (unsigned c = 0; c < clusters.size(); ++c)
    if (waitsFor[c] == 0)
      ready.set(c);
  SmallVector<unsigned> order;
  for (int next = ready.find_first(); next >= 0; next = ready.find_first()) {
    ready.reset(next);
    order.push_back(next);
    for (unsigned later = 0; later < clusters.size(); ++later)
      if (dependsOn(later, next) && --waitsFor[later] == 0)
        ready.set(later);
  }
  llvm::erase_if(order, [&](unsigned c) { return clusters[c].ops.empty(); }); // merged into others
  return order;
}
