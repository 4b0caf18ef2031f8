// The scripts `run` and `translate`, as far as they go without a build.
#include "tests/examples/ScriptTree.h"

#include <filesystem>
#include <gmock/gmock.h>

using namespace example;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class TranslateScriptTest : public ScriptTree {
protected:
  TranslateScriptTest() : ScriptTree("examples/translate", {"run", "translate"}) {
    standIn("examples/data/fetch");
    standIn("build/release/bin/trainer");
  }
};

TEST_F(TranslateScriptTest, RunDoesEverythingInOrder) {
  Finished done = script("run", {"--seed", "3"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(
      done.output,
      testing::MatchesRegex("setup\n.venv/bin/cmake --preset release\n"
                            ".venv/bin/cmake --build build/release --parallel [0-9]+ --target "
                            "translate_trainer translate_translate\n"
                            "examples/data/fetch translation build/translate/corpus\n"
                            "build/release/bin/trainer --data build/translate/corpus --checkpoint "
                            "build/translate/model --minutes 15 --seed 3\n.*"));
}

TEST_F(TranslateScriptTest, RunTakesACorpusAndMinutes) {
  std::filesystem::create_directories(tree.path("mine"));
  Finished done = script("run", {"--data", tree.path("mine"), "--minutes", "2.5", "--resume"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::Not(HasSubstr("fetch")));
  EXPECT_THAT(done.output, HasSubstr("trainer --data " + tree.path("mine") +
                                     " --checkpoint build/translate/model --minutes 2.5 "
                                     "--resume\n"));
}

TEST_F(TranslateScriptTest, RunTakesAFolderForTheRun) {
  expectFolderOfTheRun(" --minutes 15", "examples/translate/translate");
}

TEST_F(TranslateScriptTest, RunSaysWhatIsWrongBeforeItStarts) {
  Finished help = script("run", {"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.output, StartsWith("usage: examples/translate/run"));
  EXPECT_EQ(refusal("run", {"--minutes"}), "run: error: --minutes needs a value\n");
  EXPECT_EQ(refusal("run", {"--minutes", "ten"}),
            "run: error: --minutes takes a number, not 'ten'\n");
  EXPECT_EQ(refusal("run", {"--data=/nowhere"}), "run: error: there is no folder '/nowhere'\n");
  EXPECT_EQ(refusal("run", {"--data", "/nowhere"}), "run: error: there is no folder '/nowhere'\n");
}

TEST_F(TranslateScriptTest, RunStopsWithATrainingThatIsStopped) {
  standIn("build/release/bin/trainer", "exit 130");
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 130);
  EXPECT_THAT(done.output, testing::EndsWith("--minutes 15\n"));
}

TEST_F(TranslateScriptTest, TranslateNeedsTheProgram) {
  EXPECT_THAT(refusal("translate", {"hello"}),
              HasSubstr("there is no program yet: examples/translate/run builds and trains it"));
  standIn("build/release/bin/translate");
  EXPECT_EQ(script("translate", {"two words"}).output, "build/release/bin/translate --checkpoint " +
                                                           tree.path("build/translate/model") +
                                                           " two words\n");
}

} // namespace
