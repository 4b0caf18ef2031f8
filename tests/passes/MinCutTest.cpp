// Minimum cuts of networks whose answer is plain, and of random ones against all cuts there are.

#include "passes/MinCut.h"

#include <gmock/gmock.h>
#include <random>

using axloom::passes::MinCut;

TEST(MinCut, CutsTheCheaperEdge) {
  MinCut network;
  unsigned a = network.addNode(), b = network.addNode();
  network.addEdge(MinCut::source, a, 3);
  network.addEdge(a, b, 1);
  network.addEdge(b, MinCut::sink, MinCut::infinite);
  EXPECT_THAT(network.sinkSide(), testing::ElementsAre(false, true, false, true));
}

TEST(MinCut, HasAsFewNodesAsItCan) {
  MinCut network;
  unsigned a = network.addNode(), b = network.addNode();
  network.addEdge(MinCut::source, a, 2);
  network.addEdge(a, b, 2);
  network.addEdge(b, MinCut::sink, MinCut::infinite);
  EXPECT_THAT(network.sinkSide(), testing::ElementsAre(false, true, false, true));
}

TEST(MinCut, TakesFlowBackThatWentTheWrongWay) {
  // Two paths must swap their middles for both to pass.
  MinCut network;
  unsigned a = network.addNode(), b = network.addNode();
  network.addEdge(MinCut::source, a, 1);
  network.addEdge(MinCut::source, b, 1);
  network.addEdge(a, b, 1);
  network.addEdge(a, MinCut::sink, 1);
  network.addEdge(b, MinCut::sink, 1);
  EXPECT_THAT(network.sinkSide(), testing::ElementsAre(false, true, false, false));
}

TEST(MinCut, IsTheCheapestOfAllCuts) {
  std::mt19937 random(1);
  constexpr unsigned nodes = 7;
  for (int round = 0; round < 100; ++round) {
    MinCut network;
    while (network.addNode() + 1 < nodes) {
    }
    double capacity[nodes][nodes] = {};
    for (int edge = 0; edge < 18; ++edge) {
      unsigned from = random() % nodes, to = random() % nodes;
      double amount = double(random() % 10);
      network.addEdge(from, to, amount);
      capacity[from][to] += amount;
    }
    auto cost = [&](auto isInside) {
      double sum = 0;
      for (unsigned from = 0; from < nodes; ++from)
        for (unsigned to = 0; to < nodes; ++to)
          sum += !isInside(from) && isInside(to) ? capacity[from][to] : 0;
      return sum;
    };
    double least = MinCut::infinite;
    for (unsigned set = 0; set < 1u << nodes; ++set)
      if ((set >> MinCut::sink & 1) && !(set >> MinCut::source & 1))
        least = std::min(least, cost([&](unsigned node) { return (set >> node & 1) != 0; }));
    llvm::SmallVector<bool> found = network.sinkSide();
    EXPECT_EQ(cost([&](unsigned node) { return found[node]; }), least) << "round " << round;
  }
}
