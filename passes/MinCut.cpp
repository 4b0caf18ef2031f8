#include "passes/MinCut.h"

#include <algorithm>

using namespace axloom::passes;

unsigned MinCut::addNode() {
  leaving.emplace_back();
  return leaving.size() - 1;
}

void MinCut::addEdge(unsigned from, unsigned to, double capacity) {
  leaving[from].push_back(edges.size());
  edges.push_back({to, capacity});
  leaving[to].push_back(edges.size());
  edges.push_back({from, 0});
}

/// The distance of each node from the source along edges with capacity left; whether the sink has
/// one.
bool MinCut::findLevels() {
  level.assign(leaving.size(), -1);
  level[source] = 0;
  llvm::SmallVector<unsigned> queue = {source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned e : leaving[queue[i]])
      if (edges[e].capacity > 0 && level[edges[e].to] < 0) {
        level[edges[e].to] = level[queue[i]] + 1;
        queue.push_back(edges[e].to);
      }
  return level[sink] >= 0;
}

/// Sends flow from a node to the sink along rising levels; gives how much.
double MinCut::augment(unsigned node, double limit) {
  if (node == sink)
    return limit;
  for (unsigned &i = next[node]; i < leaving[node].size(); ++i) {
    unsigned e = leaving[node][i];
    if (edges[e].capacity <= 0 || level[edges[e].to] != level[node] + 1)
      continue;
    if (double sent = augment(edges[e].to, std::min(limit, edges[e].capacity)); sent > 0) {
      edges[e].capacity -= sent;
      edges[e ^ 1].capacity += sent;
      return sent;
    }
  }
  return 0;
}

llvm::SmallVector<bool> MinCut::sinkSide() {
  while (findLevels()) {
    next.assign(leaving.size(), 0);
    while (augment(source, infinite) > 0) {
    }
  }
  llvm::SmallVector<bool> reaches(leaving.size(), false);
  reaches[sink] = true;
  llvm::SmallVector<unsigned> queue = {sink};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned e : leaving[queue[i]])
      if (edges[e ^ 1].capacity > 0 && !reaches[edges[e].to]) {
        reaches[edges[e].to] = true;
        queue.push_back(edges[e].to);
      }
  return reaches;
}
