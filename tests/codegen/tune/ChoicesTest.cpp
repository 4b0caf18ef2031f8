// What families ask while they plan, and what is answered.

#include "codegen/Choices.h"

#include <gmock/gmock.h>

using namespace axloom::codegen;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Choices, AreTheUsualOnesUnlessGiven) {
  Choices choices;
  EXPECT_EQ(choices.choose("tile rows", 6, {7, 3, 6, 3}), 6);
  ASSERT_EQ(choices.open().size(), 1u);
  EXPECT_EQ(choices.open()[0].name, "tile rows");
  EXPECT_EQ(choices.open()[0].usual, 6);
  EXPECT_THAT(choices.open()[0].others, ElementsAre(3, 7)); // sorted, each once
  EXPECT_THAT(choices.unusual(), IsEmpty());
}

TEST(Choices, AreThoseGiven) {
  Choices choices({{"tile rows", 7}, {"tiles of a block", 8}});
  EXPECT_EQ(choices.choose("tile rows", 6, {3, 7}), 7);
  EXPECT_EQ(choices.choose("tiles of a block", 8, {4}), 8);
  EXPECT_THAT(choices.unusual(), ElementsAre(Pair("tile rows", 7)));
  EXPECT_EQ(toString(choices.unusual()), "tile rows 7");
}

TEST(Choices, AreOfThoseThatMakeSense) {
  Choices choices({{"tile rows", 1000}});
  EXPECT_EQ(choices.choose("tile rows", 6, {3, 7}), 6);
  EXPECT_THAT(choices.unusual(), IsEmpty());
}
