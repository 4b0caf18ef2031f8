// The scripts `run` and `classify`, as far as they go without a build.
#include "tests/examples/translate/Process.h"
#include "tests/runtime/TemporaryFolder.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace example;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

// A tree with the scripts and stand-ins for what they call, which write down their arguments.
class ClassifyScriptTest : public testing::Test {
protected:
  void SetUp() override {
    std::string root = std::getenv("AXLOOM_SOURCE_DIR");
    std::filesystem::create_directories(tree.path("examples/classify"));
    for (const std::string script : {"examples/classify/run", "examples/classify/classify"})
      std::filesystem::copy_file(root + "/" + script, tree.path(script));
    for (const char *program : {"setup", ".venv/bin/cmake", "examples/data/fetch",
                                "examples/embed/fetch", "build/release/bin/classify_trainer"})
      standIn(program);
  }

  void standIn(const std::string &name) {
    std::filesystem::path path = tree.path(name);
    std::filesystem::create_directories(path.parent_path());
    tree.write(name, "#!/bin/sh\necho " + name + " \"$@\"\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  Finished script(const std::string &name, const std::vector<std::string> &options) {
    std::vector<std::string> command = {tree.path("examples/classify/" + name)};
    command.insert(command.end(), options.begin(), options.end());
    return runProgram(command);
  }

  axloom::runtime::TemporaryFolder tree;
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

TEST_F(ClassifyScriptTest, RunSaysWhatIsWrongBeforeItStarts) {
  EXPECT_THAT(script("run", {"--help"}).output, StartsWith("usage: examples/classify/run"));
  EXPECT_EQ(script("run", {"--task"}).errors, "run: error: --task needs a value\n");
  EXPECT_EQ(script("run", {"--task=topics"}).errors,
            "run: error: --task takes sections or sentiment, not 'topics'\n");
  EXPECT_EQ(script("run", {"--data", "/nowhere"}).errors,
            "run: error: there is no folder '/nowhere'\n");
}

TEST_F(ClassifyScriptTest, ClassifyNeedsTheProgram) {
  EXPECT_THAT(script("classify", {"hello"}).errors,
              HasSubstr("there is no program yet: examples/classify/run builds and trains it"));
  standIn("build/release/bin/classify");
  std::string folder = " --checkpoint " + tree.path("build/classify/");
  EXPECT_EQ(script("classify", {"two words"}).output,
            "build/release/bin/classify --task sections" + folder + "sections/model two words\n");
  EXPECT_EQ(script("classify", {"--task", "sentiment", "--top", "1"}).output,
            "build/release/bin/classify --task sentiment" + folder + "sentiment/model --top 1\n");
}

} // namespace
