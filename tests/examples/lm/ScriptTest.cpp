// The scripts `run` and `generate`, as far as they go without a build.
#include "tests/examples/ScriptTree.h"

#include <filesystem>
#include <gmock/gmock.h>

using namespace example;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class LmScriptTest : public ScriptTree {
protected:
  LmScriptTest() : ScriptTree("examples/lm", {"run", "generate"}) {
    standIn("examples/data/fetch");
    standIn("build/release/bin/lm-trainer");
  }
};

TEST_F(LmScriptTest, RunDoesEverythingInOrder) {
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::MatchesRegex(
                               "setup\n.venv/bin/cmake --preset release\n"
                               ".venv/bin/cmake --build build/release --parallel [0-9]+ --target "
                               "lm_trainer lm_generate\n"
                               "examples/data/fetch documents build/lm/corpus\n"
                               "build/release/bin/lm-trainer --data build/lm/corpus --checkpoint "
                               "build/lm/model\n\nwrite more: examples/lm/generate .*"));
}

TEST_F(LmScriptTest, RunTakesACorpusAndMinutes) {
  std::filesystem::create_directories(tree.path("mine"));
  Finished done =
      script("run", {"--seed", "3", "--data", tree.path("mine"), "--minutes=2.5", "--resume"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::Not(HasSubstr("fetch")));
  EXPECT_THAT(done.output, HasSubstr("lm-trainer --data " + tree.path("mine") +
                                     " --checkpoint build/lm/model --minutes 2.5 --seed 3 "
                                     "--resume\n"));
}

TEST_F(LmScriptTest, RunTakesAFolderForTheRun) { expectFolderOfTheRun("", "examples/lm/generate"); }

TEST_F(LmScriptTest, RunSaysWhatIsWrongBeforeItStarts) {
  EXPECT_THAT(script("run", {"--help"}).output, StartsWith("usage: examples/lm/run"));
  EXPECT_EQ(refusal("run", {"--minutes"}), "run: error: --minutes needs a value\n");
  EXPECT_EQ(refusal("run", {"--minutes", "ten"}),
            "run: error: --minutes takes a number, not 'ten'\n");
  EXPECT_EQ(refusal("run", {"--data"}), "run: error: --data needs a value\n");
  EXPECT_EQ(refusal("run", {"--data", "/nowhere"}), "run: error: there is no folder '/nowhere'\n");
  EXPECT_EQ(refusal("run", {"--data=/nowhere"}), "run: error: there is no folder '/nowhere'\n");
}

TEST_F(LmScriptTest, RunStopsWhereSomethingFails) {
  standIn("examples/data/fetch", "exit 3");
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.output, testing::EndsWith("examples/data/fetch documents build/lm/corpus\n"));
}

TEST_F(LmScriptTest, GenerateNeedsTheProgram) {
  EXPECT_EQ(refusal("generate", {"hello"}),
            "generate: error: there is no program yet: examples/lm/run builds and trains it\n");
  standIn("build/release/bin/lm-generate");
  EXPECT_EQ(script("generate", {"two words", "--seed", "3"}).output,
            "build/release/bin/lm-generate --checkpoint " + tree.path("build/lm/model") +
                " two words --seed 3\n");
}

} // namespace
