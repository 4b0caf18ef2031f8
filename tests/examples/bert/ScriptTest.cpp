// The scripts `run` and `fill`, as far as they go without a build.
#include "tests/examples/ScriptTree.h"

#include <filesystem>
#include <gmock/gmock.h>

using namespace example;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class BertScriptTest : public ScriptTree {
protected:
  BertScriptTest() : ScriptTree("examples/bert", {"run", "fill"}) {
    for (const char *program : {"examples/data/fetch", "build/release/bin/bert_pretrain",
                                "build/release/bin/bert_finetune"})
      standIn(program);
  }
};

TEST_F(BertScriptTest, RunDoesEverythingInOrder) {
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output,
              testing::MatchesRegex(
                  "setup\n.venv/bin/cmake --preset release\n"
                  ".venv/bin/cmake --build build/release --parallel [0-9]+ --target "
                  "bert_pretrain bert_fill bert_finetune\n"
                  "examples/data/fetch documents build/bert/documents\n"
                  "examples/data/fetch sections build/bert/sections\n"
                  "build/release/bin/bert_pretrain --data build/bert/documents --checkpoint "
                  "build/bert/model --steps 24000\n\nfine-tuning [^\n]*\n"
                  "build/release/bin/bert_finetune --data build/bert/sections --pretrained "
                  "build/bert/model --names examples/bert/encoder.names --steps 600\n"
                  "\nguess words: examples/bert/fill .*"));
}

TEST_F(BertScriptTest, RunHandsOptionsOver) {
  Finished done = script("run", {"--finetune-steps=5", "--resume", "--steps", "40", "--seed", "3"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("bert_pretrain --data build/bert/documents --checkpoint "
                                     "build/bert/model --steps 40 --resume --seed 3\n"));
  EXPECT_THAT(done.output, HasSubstr("--names examples/bert/encoder.names --steps 5\n"));
}

TEST_F(BertScriptTest, RunTakesDocuments) {
  std::filesystem::create_directories(tree.path("mine"));
  Finished done = script("run", {"--data", tree.path("mine")});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::Not(HasSubstr("fetch documents")));
  EXPECT_THAT(done.output, HasSubstr("bert_pretrain --data " + tree.path("mine") +
                                     " --checkpoint build/bert/model --steps 24000\n"));
}

TEST_F(BertScriptTest, RunTakesAFolderForTheRun) {
  expectFolderOfTheRun(" --steps 24000", "examples/bert/fill");
  std::string model = std::filesystem::canonical(".").string() + "/a model";
  EXPECT_THAT(script("run", {"--checkpoint", "a model"}).output,
              HasSubstr(" --pretrained " + model + " --names "));
}

TEST_F(BertScriptTest, RunSaysWhatIsWrongBeforeItStarts) {
  EXPECT_THAT(script("run", {"--help"}).output, StartsWith("usage: examples/bert/run"));
  EXPECT_EQ(refusal("run", {"--steps"}), "run: error: --steps needs a value\n");
  EXPECT_EQ(refusal("run", {"--finetune-steps"}), "run: error: --finetune-steps needs a value\n");
  EXPECT_EQ(refusal("run", {"--steps", "ten"}),
            "run: error: --steps takes a number of steps, not 'ten'\n");
  EXPECT_EQ(refusal("run", {"--finetune-steps=0"}),
            "run: error: --finetune-steps takes a number of steps, not '0'\n");
  EXPECT_EQ(refusal("run", {"--data=/nowhere"}), "run: error: there is no folder '/nowhere'\n");
}

TEST_F(BertScriptTest, RunStopsWhereSomethingFails) {
  standIn("build/release/bin/bert_pretrain", "exit 3");
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.output, testing::EndsWith("--steps 24000\n"));
}

TEST_F(BertScriptTest, RunStopsWithAPretrainingThatIsStopped) {
  standIn("build/release/bin/bert_pretrain", "exit 130");
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 130);
  EXPECT_THAT(done.output, testing::Not(HasSubstr("bert_finetune --data")));
}

TEST_F(BertScriptTest, FillNeedsTheProgram) {
  EXPECT_EQ(refusal("fill", {"the [MASK] files"}),
            "fill: error: there is no program yet: examples/bert/run builds and pretrains it\n");
  standIn("build/release/bin/bert_fill");
  EXPECT_EQ(script("fill", {"the [MASK] files", "--top", "1"}).output,
            "build/release/bin/bert_fill --checkpoint " + tree.path("build/bert/model") +
                " the [MASK] files --top 1\n");
}

} // namespace
