// The scripts `run` and `translate`, as far as they go without a build.
#include "tests/examples/translate/Process.h"
#include "tests/examples/translate/ToyCorpus.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <sys/stat.h>

using namespace example;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string source(const std::string &path) {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/" + path;
}

Finished run(const std::vector<std::string> &options) {
  std::vector<std::string> command = {source("examples/translate/run")};
  command.insert(command.end(), options.begin(), options.end());
  return runProgram(command);
}

TEST(RunScriptTest, Help) {
  Finished help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.output, StartsWith("usage: examples/translate/run"));
}

TEST(RunScriptTest, SaysWhatIsWrongBeforeItStarts) {
  EXPECT_EQ(run({"--minutes"}).errors, "run: error: --minutes needs a value\n");
  EXPECT_EQ(run({"--minutes", "ten"}).errors, "run: error: --minutes takes a number, not 'ten'\n");
  EXPECT_EQ(run({"--data=/nowhere"}).errors, "run: error: there is no folder '/nowhere'\n");
  EXPECT_EQ(run({"--data", "/nowhere"}).status, 1);
}

// A tree with the scripts and stand-ins for what they call, which write down their arguments.
class ScriptTreeTest : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(folder() + "/examples/translate");
    for (const char *script : {"run", "translate"}) {
      std::string path = std::string("/examples/translate/") + script;
      std::filesystem::copy_file(source(path.substr(1)), folder() + path);
    }
    standIn("setup");
    standIn(".venv/bin/cmake");
    standIn("examples/data/fetch");
  }

  const std::string &folder() const { return toy.path; }

  void standIn(const std::string &name) {
    std::string path = folder() + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    writeFile(path, "#!/bin/sh\necho " + name + " \"$@\"\n");
    chmod(path.c_str(), 0755);
  }

  Finished script(const std::string &name, const std::vector<std::string> &options) {
    std::vector<std::string> command = {folder() + "/examples/translate/" + name};
    command.insert(command.end(), options.begin(), options.end());
    return runProgram(command);
  }

  ToyFolder toy;
};

TEST_F(ScriptTreeTest, RunDoesEverythingInOrder) {
  standIn("build/release/bin/trainer");
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

TEST_F(ScriptTreeTest, RunTakesACorpusAndMinutes) {
  standIn("build/release/bin/trainer");
  Finished done = script("run", {"--data", toy.data, "--minutes", "2.5", "--resume"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::Not(HasSubstr("fetch")));
  EXPECT_THAT(done.output, HasSubstr("trainer --data " + toy.data +
                                     " --checkpoint build/translate/model --minutes 2.5 "
                                     "--resume\n"));
}

TEST_F(ScriptTreeTest, TranslateNeedsTheProgram) {
  EXPECT_THAT(script("translate", {"hello"}).errors,
              HasSubstr("there is no program yet: examples/translate/run builds and trains it"));
  standIn("build/release/bin/translate");
  EXPECT_EQ(script("translate", {"two words"}).output, "build/release/bin/translate --checkpoint " +
                                                           folder() +
                                                           "/build/translate/model two words\n");
}

} // namespace
