#include "runtime/metrics/Interval.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace axloom::runtime;

namespace {

// What defines the bounds: shares whose distance from the one that was found is 1.96 standard
// deviations.
TEST(Interval, BoundsAreJustAsFarAsChanceGoes) {
  for (auto [hits, total] : {std::pair(9, 10), {1, 3}, {2148, 2312}, {5, 10}}) {
    auto [low, high] = wilsonInterval(hits, total);
    double found = double(hits) / total;
    EXPECT_LT(low, found);
    EXPECT_GT(high, found);
    for (double bound : {low, high})
      EXPECT_NEAR(std::abs(found - bound) / std::sqrt(bound * (1 - bound) / total), 1.959963984540,
                  1e-9);
  }
}

TEST(Interval, AllAndNoneLeaveRoom) {
  auto none = wilsonInterval(0, 10), all = wilsonInterval(10, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.277533, 1e-6);
  EXPECT_NEAR(all.low, 1 - 0.277533, 1e-6);
  EXPECT_DOUBLE_EQ(all.high, 1);
}

TEST(Interval, WithoutTrialsAnythingIsPossible) {
  EXPECT_EQ(wilsonInterval(0, 0).low, 0);
  EXPECT_EQ(wilsonInterval(0, 0).high, 1);
}

} // namespace
