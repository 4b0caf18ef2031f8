// Published weights, from their file to answers: against reference.json, which reference.py
// computed in double precision.
#include "chat.h"

#include "examples/chat/app/Assistant.h"
#include "examples/chat/app/Chat.h"
#include "examples/chat/app/Conversation.h"
#include "examples/chat/app/Options.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/core/Session.h"
#include "tests/examples/Process.h"
#include "tests/runtime/Expect.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace axloom::runtime;
using namespace axloom::test;
using example::Assistant;
using example::Conversation;
using example::Finished;
using testing::HasSubstr;

namespace {

using Ids = std::vector<int32_t>;

std::string source(const std::string &path) {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/" + path;
}
std::string weights() { return std::getenv("AXLOOM_TEST_WEIGHTS"); }
std::string names() { return source("examples/lm/llama.names"); }

nlohmann::json reference() {
  std::ifstream file(source("tests/examples/chat/reference.json"));
  return nlohmann::json::parse(file);
}

// The program with the fetched weights.
Finished run(std::vector<std::string> arguments, const std::string &input = "") {
  arguments.insert(arguments.begin(), {CHAT, "--weights", weights(), "--names", names()});
  return example::runProgram(arguments, {.input = input, .environment = {}});
}

// Of the logits' own deviation. Factors in bf16 are off by up to 2^-9 of themselves, in each of the
// 211 products that follow one another: as errors that know nothing of each other add up, that is
// about 2^-9 * sqrt(211) = 0.03. In f32 factors are exact, and sums leave 1e-5.
double tolerance() {
  bool rounds = std::string_view(chat_model.target) == "x86-64-avx512-bf16";
  return rounds ? 0.05 : 5e-5;
}

class ChatTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Assistant::Options options = example::ChatOptions().assistant;
    options.weights = weights();
    options.names = names();
    options.sampling.temperature = 0;
    assistant = std::make_unique<Assistant>(chat_model, options);
  }
  static void TearDownTestSuite() { assistant.reset(); }

  static std::unique_ptr<Assistant> assistant;
  const nlohmann::json expected = reference(), &talk = expected["conversation"];
};

std::unique_ptr<Assistant> ChatTest::assistant;

// All but the last token of each prompt, then the last ones, all at positions of their own.
Tensor logitsAfter(Model &model, const std::vector<Ids> &prompts) {
  auto rows = int64_t(prompts.size());
  size_t longest = std::ranges::max(prompts, {}, &Ids::size).size();
  Tensor beginnings(AXL_I32, {rows, int64_t(longest) - 1}), token(AXL_I32, {rows}),
      position(AXL_I32, {rows}), logits(AXL_F32, {rows, 49152});
  for (int64_t row = 0; row < rows; ++row) {
    const Ids &prompt = prompts[size_t(row)];
    std::copy(prompt.begin(), prompt.end() - 1,
              beginnings.view<int32_t>().begin() + row * beginnings.extent(1));
    token.view<int32_t>()[row] = prompt.back();
    position.view<int32_t>()[row] = int32_t(prompt.size()) - 1;
  }
  Session session(model, {{"B", rows}, {"T", int64_t(longest) + 3}});
  session.call("prefill", {{"tokens_in", beginnings}}, {});
  session.call("decode_step", {{"token", token}, {"position", position}}, {{"logits", logits}});
  return logits;
}

// The root of the mean square of errors, as a part of the deviation of what is expected: that of
// each stride-th logit.
double errorOf(const float *found, int64_t stride, const std::vector<double> &expected) {
  double sum = 0, squares = 0, errors = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    sum += expected[i];
    squares += expected[i] * expected[i];
    errors += std::pow(double(found[int64_t(i) * stride]) - expected[i], 2);
  }
  return std::sqrt(errors / (squares - sum * sum / double(expected.size())));
}

TEST_F(ChatTest, LogitsAreThoseOfTheReference) {
  std::vector<Ids> prompts;
  for (const auto &prompt : expected["prompts"])
    prompts.push_back(prompt["ids"]);
  Tensor found = logitsAfter(assistant->model(), prompts);
  for (size_t row = 0; row < prompts.size(); ++row) {
    const auto &prompt = expected["prompts"][row];
    int64_t units = found.extent(1), stride = units / int64_t(prompt["logits"].size());
    EXPECT_LT(errorOf(found.view<float>().data() + int64_t(row) * units, stride, prompt["logits"]),
              tolerance())
        << prompt["text"];
  }
}

TEST_F(ChatTest, TokensAreThoseOfTheReference) {
  for (const auto &prompt : expected["prompts"])
    EXPECT_EQ(assistant->tokenizer().encode(std::string(prompt["text"])), Ids(prompt["ids"]));
  Conversation asked(assistant->tokenizer(), example::ChatOptions().system, assistant->room());
  asked.ask(std::string(talk["question"]));
  EXPECT_EQ(asked.tokens(), Ids(talk["ids"]));
}

// The reference has chosen a question whose answer rounding does not change.
TEST_F(ChatTest, SaysWhatTheReferenceDoes) {
  std::string text;
  Assistant::Answer answer =
      assistant->answer(talk["ids"], [&](std::string_view said) { text += said; });
  EXPECT_EQ(answer.tokens, Ids(talk["answer"]));
  EXPECT_EQ(text, std::string(talk["text"]));
}

// Units of published models are often fewer than their logits.
TEST_F(ChatTest, UnitsThatTheTokenizerLacksAreNotSaid) {
  constexpr int32_t units = 5000; // but for "Berlin"
  std::ifstream whole(weights() + "/tokenizer.json");
  auto tokenizer = nlohmann::json::parse(whole);
  nlohmann::json vocabulary = nlohmann::json::object(), merges = nlohmann::json::array();
  for (const auto &[unit, id] : tokenizer["model"]["vocab"].items())
    if (id < units)
      vocabulary[unit] = id;
  for (std::string merge : tokenizer["model"]["merges"]) {
    std::string joined = merge;
    joined.erase(joined.find(' '), 1);
    if (vocabulary.contains(joined))
      merges.push_back(merge);
  }
  tokenizer["model"]["vocab"] = vocabulary;
  tokenizer["model"]["merges"] = merges;
  TemporaryFolder folder;
  folder.write("tokenizer.json", tokenizer.dump());
  std::filesystem::create_symlink(weights() + "/model.safetensors",
                                  folder.path("model.safetensors"));
  Assistant::Options options = example::ChatOptions().assistant;
  options.weights = folder.path();
  options.names = names();
  options.sampling.temperature = 0;
  Assistant brief(chat_model, options);
  Ids said = brief.answer(talk["ids"], [](std::string_view) {}).tokens;
  EXPECT_THAT(said, testing::Each(testing::Lt(units)));
  EXPECT_NE(said, Ids(talk["answer"]));
}

TEST_F(ChatTest, AnAnswerLeavesTheRestOfThePositions) {
  EXPECT_EQ(assistant->room(), 2048u - 512 + 1);
}

// ---- the program ----

class ChatProgramTest : public testing::Test {
protected:
  const std::string question = reference()["conversation"]["question"],
                    answer = reference()["conversation"]["text"];
};

TEST_F(ChatProgramTest, AnswersAQuestion) {
  Finished done = run({"--temperature", "0", question});
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.output, answer + "\n");
  EXPECT_EQ(done.errors, "") << "a pipe is told nothing else";
}

// The system text is 21 tokens, a question 16, and its answer 7 with two behind it.
TEST_F(ChatProgramTest, AnswersLinesOfAPipeInOneConversation) {
  Finished done = run({"--temperature", "0", "--statistics"}, question + "\n\n" + question + "\n");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, testing::StartsWith(answer + "\n"));
  EXPECT_THAT(done.errors,
              testing::MatchesRegex("chat: 37 tokens heard at [0-9.]+/s, 7 said at [0-9.]+/s\n"
                                    "chat: 62 tokens heard at [0-9.]+/s, [0-9]+ said at "
                                    "[0-9.]+/s\n"));
}

// Who writes waits for the answer before the next question.
TEST_F(ChatProgramTest, AnswersEachLineOfAPipeAtOnce) {
  TemporaryFolder folder;
  std::string said = folder.path("said");
  Finished done = example::runProgram(
      {"/bin/sh", "-c",
       "{ echo \"$1\"; n=0; until [ -s \"$2\" ] || [ $n = 2400 ]; do sleep 0.1; n=$((n + 1)); "
       "done; "
       "cat \"$2\" >&2; } | \"$3\" --weights \"$4\" --names \"$5\" --temperature 0 > \"$2\"",
       "sh", question, said, CHAT, weights(), names()});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.errors, testing::StartsWith(answer.substr(0, answer.find(' '))));
}

TEST_F(ChatProgramTest, SeedAndSystemTextCount) {
  std::vector<std::string> hot = {"--temperature", "1.5", "--tokens", "12",
                                  "--seed",        "4",   question};
  std::string first = run(hot).output;
  EXPECT_EQ(run(hot).output, first);
  hot[5] = "5";
  EXPECT_NE(run(hot).output, first);
  EXPECT_THAT(run({"--tokens", "1", "--statistics", "--system", "Be brief.", question}).errors,
              HasSubstr("chat: 24 tokens heard"));
}

// Room for 50 tokens of a conversation; the system text and the question are 37.
TEST_F(ChatProgramTest, SaysWhatItForgetsAndWhatIsTooLong) {
  std::string longQuestion = "Why";
  for (int i = 0; i < 50; ++i)
    longQuestion += " and why";
  Finished done = run({"--temperature", "0", "--tokens", "1999"},
                      question + "\n" + longQuestion + "\n" + question + "\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.output, answer + "\n" + answer + "\n");
  EXPECT_THAT(done.errors,
              testing::MatchesRegex(
                  "chat: the question and the system text are 1[0-9]+ tokens, but there is room "
                  "for 50 beside those of an answer: ask a shorter one\n"
                  "chat: the conversation is too long for the model: the first 1 of its questions "
                  "are forgotten, with their answers\n"));
}

TEST_F(ChatProgramTest, SaysWhatIsWrong) {
  auto expectFailure = [](const std::vector<std::string> &arguments, const std::string &message) {
    Finished failed = run(arguments);
    EXPECT_EQ(failed.status, 1);
    EXPECT_EQ(failed.output, "");
    EXPECT_THAT(failed.errors, HasSubstr("chat: error: " + message));
  };
  TemporaryFolder folder;
  expectFailure({""}, "the question is empty: write at least a word");
  expectFailure({"--weights", folder.path("none"), "hello"},
                "cannot read '" + folder.path("none/tokenizer.json") + "'");
  std::ifstream units(weights() + "/tokenizer.json");
  auto tokenizer = nlohmann::json::parse(units);
  tokenizer["model"]["vocab"]["one more"] = 49152;
  folder.write("tokenizer.json", tokenizer.dump());
  expectFailure({"--weights", folder.path(), "hello"},
                "the tokenizer in '" + folder.path() +
                    "' has 49153 units, but the model's vocabulary has 49152");
  std::filesystem::copy_file(weights() + "/tokenizer.json", folder.path("tokenizer.json"),
                             std::filesystem::copy_options::overwrite_existing);
  expectFailure({"--weights", folder.path(), "hello"},
                "folder '" + folder.path() + "' has no model.safetensors");
  Tensor table(AXL_F32, {49152, 2});
  const Named named{"model.embed_tokens.weight", table};
  writeSafetensors(folder.path("model.safetensors"), std::span(&named, 1), {});
  expectFailure({"--weights", folder.path(), "hello"},
                "'" + folder.path("model.safetensors") + "' does not fit model 'chat':");
  expectFailure({"--names", folder.path("none"), "hello"}, "cannot read '" + folder.path("none"));
  expectFailure({"--tokens", "2049", "hello"},
                "answers of 2049 tokens were asked for, but the model was compiled for 2048 "
                "positions: choose from 1 to 2048\n");
  expectFailure({"--tokens", "2040", "hello"}, "the system text and what surrounds a question are");
  expectFailure({"--top-p", "2", "hello"}, "sampling with top-p 2; it must be above 0");
}

} // namespace
