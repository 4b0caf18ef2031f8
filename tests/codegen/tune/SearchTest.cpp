// Who wins, by numbers that are given.

#include "codegen/tune/Search.h"

#include <gmock/gmock.h>

using namespace axloom::codegen;
using testing::ElementsAre;

namespace {
const ChoiceValues usual, fewRows = {{"rows", 3}}, manyRows = {{"rows", 7}}, few = {{"tiles", 4}},
                          many = {{"tiles", 16}};
const std::vector<ChoiceValues> all = {usual, fewRows, manyRows, few, many};
} // namespace

TEST(Finalists, AreTheBestOfEachChoiceAndAllOfThemTogether) {
  EXPECT_THAT(finalists(all, {1.0, 0.9, 0.8, 0.7, 0.95}),
              ElementsAre(usual, manyRows, few, ChoiceValues{{"rows", 7}, {"tiles", 4}}));
}

TEST(Finalists, AreFasterThanTheUsualByAMargin) {
  EXPECT_THAT(finalists(all, {1.0, 0.9, 1.1, 0.98, 1.2}), ElementsAre(usual, fewRows));
  EXPECT_THAT(finalists(all, {1.0, 0.98, 1.1, 0.98, 1.2}), ElementsAre(usual));
}

TEST(Winner, IsFasterThanTheUsualByAMargin) {
  EXPECT_EQ(winner({1.0, 0.98, 1.2}), 0u);
  EXPECT_EQ(winner({1.0, 0.96, 0.9}), 2u);
}
