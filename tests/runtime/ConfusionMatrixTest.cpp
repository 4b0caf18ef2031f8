// Right and wrong answers of a classifier: counts, shares, and their picture.
#include "runtime/plot/ConfusionMatrix.h"
#include "tests/runtime/Expect.h"

#include <cmath>

using namespace axloom::runtime;
using testing::ElementsAre;

namespace {

ConfusionMatrix makeMatrix() {
  ConfusionMatrix matrix({"cat", "dog", "owl"});
  matrix.add(0, 0, 6);
  matrix.add(0, 1, 2);
  matrix.add(1, 1);
  matrix.add(1, 1);
  return matrix;
}

TEST(ConfusionMatrix, SharesOfRightAnswers) {
  ConfusionMatrix matrix = makeMatrix();
  EXPECT_EQ(matrix.count(0, 1), 2);
  EXPECT_EQ(matrix.count(1, 0), 0);
  EXPECT_EQ(matrix.total(), 10);
  EXPECT_DOUBLE_EQ(matrix.accuracy(), 0.8);
  EXPECT_DOUBLE_EQ(matrix.recall(0), 0.75);
  EXPECT_DOUBLE_EQ(matrix.precision(1), 0.5);
  EXPECT_TRUE(std::isnan(matrix.recall(2)));
  EXPECT_TRUE(std::isnan(ConfusionMatrix({"one"}).accuracy()));
}

TEST(ConfusionMatrix, ColorsAreSharesOfTheRow) {
  HeatMap map = makeMatrix().heatMap("Animals");
  ASSERT_EQ(map.panels.size(), 1u);
  EXPECT_THAT(map.panels[0].values, ElementsAre(0.75F, 0.25F, 0, 0, 1, 0, 0, 0, 0));
  EXPECT_THAT(map.panels[0].texts, ElementsAre("6", "2", "", "", "2", "", "", "", ""));
  EXPECT_THAT(map.rows.labels, ElementsAre("cat", "dog", "owl"));
  EXPECT_EQ(map.columns.labels, map.rows.labels);
  EXPECT_THAT(map.rows.notes, ElementsAre("75%", "100%", "-"));
  EXPECT_THAT(map.columns.notes, ElementsAre("100%", "50%", "-"));
}

TEST(ConfusionMatrix, LabelsOutsideTheClassesAreErrors) {
  ConfusionMatrix matrix = makeMatrix();
  expectError(AXL_ERROR_ARGUMENT, "class 3 is outside the 3 classes of the confusion matrix",
              [&] { matrix.add(0, 3); });
  expectError(AXL_ERROR_ARGUMENT, "class -1 is outside the 3 classes of the confusion matrix",
              [&] { matrix.add(-1, 0); });
}

} // namespace
