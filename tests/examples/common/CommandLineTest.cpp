// Texts on a command line arrive as they were written, whatever stands before them.
#include "examples/common/CommandLine.h"

#include <gmock/gmock.h>

using namespace example;
using testing::ElementsAre;

namespace {

// The texts of a program that has the option --top N and the flag --quick, too.
std::vector<std::string> textsOf(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char *> command;
  for (std::string &word : words)
    command.push_back(word.data());
  CommandLine parser("A test.");
  std::vector<std::string> texts;
  int top = 0, status = 0;
  bool quick = false;
  parser.addTexts("texts", texts, "What there is");
  parser.add_option("--top", top, "How many");
  parser.add_flag("--quick", quick, "Whether to hurry");
  EXPECT_TRUE(parser.understands(int(command.size()), command.data(), status)) << status;
  return texts;
}

TEST(CommandLine, BracketsAroundATextAreItsOwn) {
  EXPECT_THAT(textsOf({"[one, two]", "[MASK]"}), ElementsAre("[one, two]", "[MASK]"));
  EXPECT_THAT(textsOf({"--top", "3", "[one, two]"}), ElementsAre("[one, two]"));
  EXPECT_THAT(textsOf({"--top=3", "[one, two]"}), ElementsAre("[one, two]"));
  EXPECT_THAT(textsOf({"[one, two]", "--top", "3"}), ElementsAre("[one, two]"));
  EXPECT_THAT(textsOf({"--quick", "[one, two]"}), ElementsAre("[one, two]"));
  EXPECT_THAT(textsOf({"--top", "-1", "[one, two]"}), ElementsAre("[one, two]"));
}

TEST(CommandLine, BehindTwoDashesAllIsText) {
  EXPECT_THAT(textsOf({"--top=3", "--", "-a", "[b, c]", "--top"}),
              ElementsAre("-a", "[b, c]", "--top"));
}

} // namespace
