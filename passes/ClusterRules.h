//===- ClusterRules.h - What may become one kernel --------------*- C++ -*-===//
//
// Whether an op may join a cluster, and a cluster another one; if not, why not, in words for the
// user ("layer_norm is not part of <kernel>: ...").
//
//===----------------------------------------------------------------------===//

#pragma once

#include "passes/ClusterGraph.h"

namespace axloom::passes {
/// Whether an op does again what one in an earlier cluster does.
bool isComputedAgain(mlir::Operation *op);

/// Reasons are empty where something may be.
class ClusterRules {
public:
  ClusterRules(const ClusterGraph &graph, const KernelOptions &options, bool isRagged)
      : graph(graph), options(options), isRagged(isRagged) {}

  /// `producers`: the clusters that `op` reads from.
  std::string whyNotJoin(unsigned cluster, mlir::Operation *op, const ClusterSet &producers) const;
  /// An elementwise cluster becomes part of another one if both are over the same axes, no third
  /// one stands between, and it costs no result in memory that there was not before.
  std::string whyNotMerge(unsigned from, unsigned into) const;
  /// From here on ops may compute again what one of the clusters so far does: they join none of
  /// them.
  void closeThoseSoFar();

private:
  bool isClosed(unsigned cluster) const { return closed && cluster < *closed; }
  bool takesOver(unsigned cluster, mlir::Operation *op) const;
  std::string whyNotTakeOver(unsigned cluster, mlir::Operation *op) const;
  std::string whyNotReduceIn(const Cluster &cluster, mlir::Operation *op) const;
  std::string whyNoFeedForward(unsigned cluster, ir::ContractOp op) const;
  std::string whyNoHidden(mlir::Value hidden, ir::ContractOp first, ir::ContractOp second) const;

  const ClusterGraph &graph;
  const KernelOptions &options;
  bool isRagged; // some tensor or size of the block
  std::optional<unsigned> closed;
};
} // namespace axloom::passes
