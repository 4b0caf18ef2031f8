// How fast an answer came, as text.
#include "examples/chat/app/Pace.h"

#include <gmock/gmock.h>
#include <thread>

using example::Pace;

namespace {

TEST(Pace, WithoutTwoTokensThereIsNoSpeed) {
  Pace pace(31);
  EXPECT_EQ(pace.text(), "31 tokens heard, 0 said");
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  pace.say();
  EXPECT_THAT(pace.text(), testing::MatchesRegex("31 tokens heard at [0-9.]+/s, 1 said"));
}

// The prompt is what comes before the first token, the answer what comes after it.
TEST(Pace, PromptAndAnswerHaveSpeedsOfTheirOwn) {
  Pace pace(1000);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  pace.say();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  pace.say();
  std::string text = pace.text();
  auto numberAfter = [&](const std::string &words) {
    size_t place = text.find(words);
    return place == std::string::npos ? 0 : std::stod(text.substr(place + words.size()));
  };
  double heard = numberAfter("1000 tokens heard at "), said = numberAfter("/s, 2 said at ");
  EXPECT_LE(heard, 1e5);
  EXPECT_GT(heard, 1e3);
  EXPECT_LE(said, 10);
  EXPECT_GT(said, 0.1);
}

} // namespace
