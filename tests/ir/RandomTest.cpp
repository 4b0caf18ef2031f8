// The bits of random numbers: fixed for ever, and as uniform as they say.

#include "runtime/Random.h"
#include "tests/support/Graphs.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;

TEST(Random, TheBitsNeverChange) {
  random::Key key = random::Key::of(1, 2, 3);
  // Worked out from the definition by a second implementation, in Python.
  EXPECT_EQ(random::mix(1), 0x688990c0u);
  EXPECT_EQ(key.stream, 0xe80e9316u);
  EXPECT_EQ(key.start, 0xaa92aefdu);
  EXPECT_EQ(random::bits(key, key.start + 5 * random::coordinateFactors[0]), 0xa067c6b4u);
  EXPECT_EQ(random::uniform(0xffffffffu), 16777215.0f / 16777216.0f);
  EXPECT_EQ(random::uniform(0), 0.0f);
  EXPECT_THAT(random::coordinateFactors,
              testing::ElementsAre(0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du, 0x27d4eb2fu, 0x165667b1u,
                                   0xd3a2646du, 0xfd7046c5u, 0xb55a4f09u));
}

/// 64 x 64 numbers of one random op.
static std::vector<double> numbers(int site, int step = 0) {
  test::Graphs graphs;
  std::string text = "func.func @f(%seed: !axloom.tensor<i32>, %step: !axloom.tensor<i32>) -> "
                     "!axloom.tensor<a: 64, b: 64, f32> {\n"
                     "  %site = axloom.constant " +
                     std::to_string(site) +
                     " : i32 : <i32>\n"
                     "  %y = axloom.random %seed, %step, %site : <i32>, <i32>, <i32> -> "
                     "!axloom.tensor<a: 64, b: 64, f32> <a: 64, b: 64, f32>\n"
                     "  return %y : !axloom.tensor<a: 64, b: 64, f32>\n}";
  OwningOpRef<ModuleOp> module = graphs.parse(text);
  Inputs inputs{{}, {Array(7.0), Array(static_cast<double>(step))}, {}};
  return interpret(test::functionOf(*module, "f"), inputs)->results[0].values;
}

TEST(Random, NumbersSpreadEvenly) {
  std::vector<int> buckets(16);
  double sum = 0;
  for (double number : numbers(1)) {
    ASSERT_GE(number, 0);
    ASSERT_LT(number, 1);
    sum += number;
    ++buckets[static_cast<int>(number * 16)];
  }
  EXPECT_NEAR(sum / 4096, 0.5, 0.02); // 4.4 standard deviations
  for (int count : buckets)
    EXPECT_NEAR(count, 256, 75); // 4.8 standard deviations
}

TEST(Random, NeighboursAreNotCorrelated) {
  std::vector<double> values = numbers(1);
  for (int distance : {1, 64, 65}) {
    double sum = 0;
    for (size_t i = 0; i + distance < values.size(); ++i)
      sum += (values[i] - 0.5) * (values[i + distance] - 0.5);
    EXPECT_NEAR(sum / static_cast<double>(values.size()) * 12, 0, 0.07) << distance;
  }
}

TEST(Random, SitesAndStepsDiffer) {
  std::vector<double> values = numbers(1);
  for (const std::vector<double> &other : {numbers(2), numbers(1, 1)}) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i)
      sum += (values[i] - 0.5) * (other[i] - 0.5);
    EXPECT_NEAR(sum / static_cast<double>(values.size()) * 12, 0, 0.07);
  }
}
