//===- MinCut.h - The cheapest way to part a network ------------*- C++ -*-===//
//
// Nodes and directed edges with capacities. A cut is a set of nodes with the sink but not the
// source; it costs the capacities of the edges that lead into it. Maximum flow (Dinic) finds the
// cheapest cut. Test: tests/passes/MinCutTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>

namespace axloom::passes {
class MinCut {
public:
  static constexpr unsigned source = 0, sink = 1;
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  MinCut() : leaving(2) {}

  unsigned addNode();
  void addEdge(unsigned from, unsigned to, double capacity);

  /// Whether each node is on the sink's side of the cheapest cut; of equally cheap ones, the cut
  /// with the fewest nodes. Some cut must have a finite price.
  llvm::SmallVector<bool> sinkSide();

private:
  struct Edge {
    unsigned to;
    double capacity; // that is left
  };

  bool findLevels();
  double augment(unsigned node, double limit);

  // Edge e and its reverse e ^ 1 are neighbours.
  llvm::SmallVector<Edge> edges;
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> leaving; // of each node
  llvm::SmallVector<int> level;
  llvm::SmallVector<unsigned> next; // edge to try, of each node
};
} // namespace axloom::passes
