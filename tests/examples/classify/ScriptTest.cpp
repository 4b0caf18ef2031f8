// The scripts `run` and `classify`, as far as they go without a build.
#include "tests/examples/ScriptTree.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <ranges>

using namespace example;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class ClassifyScriptTest : public ScriptTree {
protected:
  ClassifyScriptTest() : ScriptTree("examples/classify", {"run", "classify"}) {
    for (const char *program :
         {"examples/data/fetch", "examples/embed/fetch", "build/release/bin/classify_trainer"})
      standIn(program);
  }
};

TEST_F(ClassifyScriptTest, RunDoesEverythingInOrder) {
  Finished done = script("run", {"--seed", "3"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output,
              testing::MatchesRegex(
                  "setup\n.venv/bin/cmake --preset release\n"
                  ".venv/bin/cmake --build build/release --parallel [0-9]+ --target "
                  "classify_trainer classify_program\n"
                  "examples/data/fetch sections build/classify/sections/corpus\n"
                  "build/release/bin/classify_trainer --task sections --data "
                  "build/classify/sections/corpus --checkpoint build/classify/sections/model "
                  "--seed 3\n.*"));
}

TEST_F(ClassifyScriptTest, RunFetchesWeightsForSentiment) {
  std::filesystem::create_directories(tree.path("mine"));
  Finished done = script("run", {"--task", "sentiment", "--data", tree.path("mine")});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::Not(HasSubstr("data/fetch")));
  EXPECT_THAT(done.output, HasSubstr("examples/embed/fetch build/embed/weights\n"
                                     "build/release/bin/classify_trainer --task sentiment --data " +
                                     tree.path("mine") +
                                     " --checkpoint build/classify/sentiment/model --weights "
                                     "build/embed/weights --names examples/embed/minilm.names\n"));
}

TEST_F(ClassifyScriptTest, RunTakesAFolderForTheRun) {
  expectFolderOfTheRun("", "examples/classify/classify --task sections");
}

TEST_F(ClassifyScriptTest, RunTakesOtherWeights) {
  std::string here = std::filesystem::canonical(".").string();
  Finished done = script("run", {"--weights", "w", "--names=n"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr(" --weights " + here + "/w --names " + here + "/n\n"));
}

TEST_F(ClassifyScriptTest, RunSaysWhatIsWrongBeforeItStarts) {
  EXPECT_THAT(script("run", {"--help"}).output, StartsWith("usage: examples/classify/run"));
  EXPECT_EQ(refusal("run", {"--task"}), "run: error: --task needs a value\n");
  EXPECT_EQ(refusal("run", {"--task=topics"}),
            "run: error: --task takes sections or sentiment, not 'topics'\n");
  EXPECT_EQ(refusal("run", {"--data", "/nowhere"}), "run: error: there is no folder '/nowhere'\n");
}

TEST_F(ClassifyScriptTest, ClassifyNeedsTheProgram) {
  EXPECT_THAT(refusal("classify", {"hello"}),
              HasSubstr("there is no program yet: examples/classify/run builds and trains it"));
  standIn("build/release/bin/classify");
  std::string folder = " --checkpoint " + tree.path("build/classify/");
  EXPECT_EQ(script("classify", {"two words"}).output,
            "build/release/bin/classify --task sections" + folder + "sections/model two words\n");
  for (std::string words : {"--task sentiment --top 1", "--task=sentiment", "good --task sentiment",
                            "--task sections --task=sentiment -- --task sections"}) {
    std::vector<std::string> options;
    for (auto word : std::views::split(words, ' '))
      options.emplace_back(word.begin(), word.end());
    EXPECT_EQ(script("classify", options).output, "build/release/bin/classify --task sentiment" +
                                                      folder + "sentiment/model " + words + "\n");
  }
}

} // namespace
