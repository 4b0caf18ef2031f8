// The loss curve, from good and from damaged histories.
#include "examples/common/Curve.h"
#include "runtime/core/Error.h"
#include "tests/support/TemporaryFolder.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace example;
using axloom::test::readFile;

namespace {

class CurveTest : public testing::Test {
protected:
  bool draw(const std::string &lines) {
    std::filesystem::remove(picture);
    folder.write("history.jsonl", lines);
    bool drawn = drawCurve(history, picture, "Loss");
    EXPECT_EQ(std::filesystem::exists(picture), drawn);
    return drawn;
  }

  axloom::test::TemporaryFolder folder;
  std::string history = folder.path("history.jsonl"), picture = folder.path("loss.png");
};

TEST_F(CurveTest, DrawsTrainingAndValidation) {
  const std::string training = "{\"step\": 10, \"loss\": 5}\n{\"step\": 20, \"loss\": 4}\n";
  ASSERT_TRUE(draw(training));
  std::string alone = readFile(picture);
  ASSERT_TRUE(draw(training + "{\"step\": 20, \"validation_loss\": 4.5}\n"));
  EXPECT_NE(readFile(picture), alone);
}

TEST_F(CurveTest, NothingToDraw) {
  EXPECT_FALSE(draw(""));
  EXPECT_FALSE(draw("{\"step\": 20, \"validation_loss\": 4.5}\n"));
}

TEST_F(CurveTest, PassesOverALineThatIsCutOff) {
  const std::string good = "{\"step\": 10, \"loss\": 5}\n{\"step\": 20, \"loss\": 4}\n";
  ASSERT_TRUE(draw(good));
  std::string expected = readFile(picture);
  ASSERT_TRUE(draw(good + "{\"step\": 30, \"lo"));
  EXPECT_EQ(readFile(picture), expected);
}

TEST_F(CurveTest, SaysWhatItCannotRead) {
  for (const char *damaged : {"noise\n", "{\"step\": \"x\", \"loss\": 1}\n"})
    EXPECT_THROW(draw(damaged), axloom::runtime::Error);
  EXPECT_THROW(drawCurve(folder.path("missing"), picture, "Loss"), axloom::runtime::Error);
}

TEST_F(CurveTest, ARepeatedStepCountsOnce) {
  ASSERT_TRUE(draw("{\"step\": 10, \"loss\": 5}\n{\"step\": 20, \"loss\": 4}\n"));
  std::string expected = readFile(picture);
  ASSERT_TRUE(draw("{\"step\": 10, \"loss\": 5}\n{\"step\": 20, \"loss\": 9}\n"
                   "{\"step\": 30, \"loss\": 8}\n{\"step\": 20, \"loss\": 4}\n"));
  EXPECT_EQ(readFile(picture), expected);
}

} // namespace
