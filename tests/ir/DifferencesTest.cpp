// Central differences against gradients that are right, wrong in one element, or no numbers.

#include "ir/reference/Differences.h"
#include "tests/support/Graphs.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
class Differences : public testing::Test {
protected:
  Differences() {
    Sizes sizes;
    for (const char *type : {"model: 5, row: 7, f32", "model: 5, f32"})
      point.emplace_back(graphs.type(type).getAxes(), sizes);
    for (Array &array : point)
      for (size_t i = 0; i < array.values.size(); ++i)
        array.values[i] = std::cos(static_cast<double>(3 * i + 1));
    gradients = point;
    for (Array &gradient : gradients)
      for (double &g : gradient.values)
        g = 3 * g * g;
  }

  /// The sum of all cubes.
  static double cubes(const std::vector<Array> &arrays) {
    double sum = 0;
    for (const Array &array : arrays)
      for (double x : array.values)
        sum += x * x * x;
    return sum;
  }
  std::vector<Difference> compare() { return differences(cubes, point, gradients, options); }

  Graphs graphs;
  std::vector<Array> point, gradients;
  DifferenceOptions options;
};
} // namespace

TEST_F(Differences, RightGradientsAreAllowed) {
  for (const Difference &found : compare()) {
    EXPECT_TRUE(found.isAllowed()) << found.place << " " << found.error();
    EXPECT_LT(found.error(), 1e-9);
  }
}

TEST_F(Differences, OneWrongElementOfManyIsFoundAndNamed) {
  options.elements = 1; // the random direction tells, and then all elements are looked at
  gradients[0].values[3 * 7 + 4] += 0.01;
  std::vector<Difference> found = compare();
  EXPECT_FALSE(found[0].isAllowed());
  EXPECT_EQ(found[0].place, "[model 3, row 4]");
  EXPECT_NEAR(found[0].predicted - found[0].measured, 0.01, 1e-8);
  EXPECT_TRUE(found[1].isAllowed());
}

TEST_F(Differences, SmallGradientsAreHeldToTheirOwnScale) {
  for (double &x : point[1].values)
    x *= 1e-2;
  for (double &g : gradients[1].values)
    g *= 1e-4;
  EXPECT_TRUE(compare()[1].isAllowed());
  gradients[1].values[0] *= 1.01;
  EXPECT_FALSE(compare()[1].isAllowed());
}

TEST_F(Differences, WhatIsNoNumberIsNotAllowed) {
  gradients[1].values[2] = std::nan("");
  std::vector<Difference> found = compare();
  EXPECT_FALSE(found[1].isAllowed());
  EXPECT_EQ(found[1].place, "[model 2]");
}
