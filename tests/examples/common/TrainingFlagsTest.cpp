// How long a program trains, and how often it validates, for what its flags leave out.
#include "examples/common/Training.h"

#include <gtest/gtest.h>

using namespace example;

namespace {

TEST(TrainingFlags, TheUsualTime) {
  TrainingFlags flags;
  EXPECT_EQ(flags.seconds(), 900);
  EXPECT_EQ(flags.validationSeconds(), 90);
  EXPECT_TRUE(flags.trains());
  EXPECT_FALSE(flags.usesCheckpoint());
}

TEST(TrainingFlags, WithStepsNoTimeUnlessAskedFor) {
  TrainingFlags flags;
  flags.steps = 5;
  EXPECT_EQ(flags.seconds(), 0);
  EXPECT_EQ(flags.validationSeconds(), 30);
  EXPECT_TRUE(flags.trains());
  flags.minutes = 100;
  EXPECT_EQ(flags.seconds(), 6000);
}

TEST(TrainingFlags, ValidatesEveryTenthOfTheTimeWithinLimits) {
  TrainingFlags flags;
  flags.minutes = 100;
  EXPECT_EQ(flags.validationSeconds(), 300);
  flags.minutes = 1;
  EXPECT_EQ(flags.validationSeconds(), 30);
  flags.validationMinutes = 10;
  EXPECT_EQ(flags.validationSeconds(), 600);
}

TEST(TrainingFlags, WithoutTimeTheCheckpointIsOnlyUsed) {
  TrainingFlags flags;
  flags.minutes = 0;
  EXPECT_FALSE(flags.trains());
  EXPECT_TRUE(flags.usesCheckpoint());
}

TEST(TrainingFlags, ResumingTrainsFromTheCheckpoint) {
  TrainingFlags flags;
  flags.resume = true;
  EXPECT_TRUE(flags.trains());
  EXPECT_TRUE(flags.usesCheckpoint());
}

} // namespace
