//===- ClusterRules.h - What may become one kernel --------------*- C++ -*-===//
//
// Whether an op may join a cluster, and a cluster another one; if not, why not, in words for the
// user ("layer_norm is not part of <kernel>: ...").
//
//===----------------------------------------------------------------------===//

#pragma once

#include "passes/ClusterGraph.h"
#include "passes/KernelClusters.h"

#include <optional>
#include <string>

namespace axloom::passes {
/// Each function says why not; its text is empty if it may be.
class ClusterRules {
public:
  ClusterRules(const ClusterGraph &graph, const KernelOptions &options, bool isRagged)
      : graph(graph), options(options), isRagged(isRagged) {}

  /// An op joins a cluster that works over the same axes, if what it needs of that is there by
  /// then. `producers`: the clusters that `op` reads from.
  std::string whyNotJoin(unsigned cluster, mlir::Operation *op, const ClusterSet &producers) const;
  /// An elementwise cluster becomes part of another one if both are over the same axes, no third
  /// one stands between, and it costs no result in memory that there was not before.
  std::string whyNotMerge(unsigned from, unsigned into) const;
  /// To be told of each op before it is placed, for those that join no cluster from before the
  /// first of them (ComputeAgain.h).
  void meet(mlir::Operation *op);

private:
  llvm::StringRef whyTooLarge(llvm::ArrayRef<mlir::Operation *> ops,
                              llvm::ArrayRef<mlir::Operation *> more) const;
  bool isClosed(unsigned cluster) const { return closed && cluster < *closed; }
  bool isOtherThan(mlir::Operation *op, unsigned cluster) const;
  bool takesOver(unsigned cluster, mlir::Operation *op) const;
  std::string whyNotTakeOver(unsigned cluster, mlir::Operation *op) const;
  std::string whyNotReduceIn(const Cluster &cluster, mlir::Operation *op) const;
  std::string whyNoFeedForward(unsigned cluster, ir::ContractOp op) const;
  std::string whyNoActivations(mlir::Value hidden, mlir::Value weight, ir::ContractOp first,
                               ir::ContractOp second) const;

  const ClusterGraph &graph;
  const KernelOptions &options;
  bool isRagged; // some tensor or size of the function
  std::optional<unsigned> closed;
};
} // namespace axloom::passes
