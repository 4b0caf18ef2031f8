//===- ClusterGraph.h - Which cluster reads from which ----------*- C++ -*-===//
//
// The clusters that the ops of a function are in so far, and what each of them waits for.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "passes/KernelClusters.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace axloom::passes {
using ClusterSet = llvm::SmallSetVector<unsigned, 8>;

/// Clusters go by their number; one that was merged into another keeps its own, without ops. Ops
/// are put into them by `append` and `merge` alone.
class ClusterGraph {
public:
  const Cluster &operator[](unsigned cluster) const { return clusters[cluster]; }
  Cluster &operator[](unsigned cluster) { return clusters[cluster]; }
  unsigned size() const { return clusters.size(); }

  /// The cluster that `op` is in; none for null and for an op that has no kernel.
  std::optional<unsigned> clusterOf(mlir::Operation *op) const;
  /// The clusters that `op` reads from, looking through recomputed ops.
  ClusterSet producersOf(mlir::Operation *op) const;
  /// The clusters that read a tensor which `op` reads too.
  ClusterSet siblingsOf(mlir::Operation *op) const;
  /// Whether `later` reads from `earlier`, directly or not.
  bool dependsOn(unsigned later, unsigned earlier) const {
    const llvm::BitVector &all = dependencies[later];
    return earlier < all.size() && all.test(earlier);
  }
  /// Whether a third cluster reads from `earlier`, and `later` from it, directly or not.
  bool anyBetween(unsigned earlier, unsigned later) const;
  /// Whether nobody but the clusters and `op` reads the value, looking through recomputed ops.
  bool onlyUsedIn(mlir::Value value, llvm::ArrayRef<unsigned> clusters,
                  mlir::Operation *op = nullptr) const;

  /// How many tensors a kernel of these ops would read and write, scalars among them; how many of
  /// these are results; and how many scalars it would get by value, the sites of its random
  /// numbers.
  struct Operands {
    unsigned tensors = 0, results = 0, scalars = 0;
  };
  Operands operandsOf(llvm::ArrayRef<mlir::Operation *> ops) const;

  /// Adds a cluster without ops; returns its number.
  unsigned add(Cluster cluster);
  /// Puts `op`, which reads from `producers`, into the cluster, after its others.
  void append(unsigned cluster, mlir::Operation *op, const ClusterSet &producers);
  /// Puts the ops of one into another, which keeps its anchor and axes. There must be none between
  /// the two.
  void merge(unsigned from, unsigned into);

  /// Those that have ops, each after those that it reads from, early ones first.
  llvm::SmallVector<unsigned> order() const;

private:
  /// Visits what ops read, looking through recomputed ops.
  void forEachOperand(llvm::ArrayRef<mlir::Operation *> ops,
                      llvm::function_ref<void(mlir::Value)> visit) const;

  llvm::SmallVector<Cluster> clusters;
  llvm::DenseMap<mlir::Operation *, unsigned> numberOf;
  /// For each cluster, all clusters that it reads from, directly or not.
  llvm::SmallVector<llvm::BitVector> dependencies;
};
} // namespace axloom::passes
