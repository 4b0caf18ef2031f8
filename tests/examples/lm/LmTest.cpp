// The programs around the real model, compiled at a small size, on a language that counts: the way
// from text to text, and what users get wrong.
#include "examples/lm/app/Writer.h"
#include "lm_small.h"
#include "lm_small_generation.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Error.h"
#include "tests/examples/AttentionRows.h"
#include "tests/examples/Process.h"
#include "tests/support/TemporaryFolder.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

using namespace example;
using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace {

constexpr const char *digits[] = {"zero", "one", "two",   "three", "four",
                                  "five", "six", "seven", "eight", "nine"};

// Counts up or down from `first`, round and round.
std::string counting(int first, bool up, int words) {
  std::string text = up ? "up" : "down";
  for (int i = 0; i < words; ++i)
    text += std::string(" ") + digits[((first + (up ? i : -i)) % 10 + 10) % 10];
  return text;
}

// Documents of two sentences, an even number of words each.
std::string documents(int count, int start) {
  std::string text;
  for (int i = start; i < start + count; ++i)
    text += counting(i * 7 % 10, i % 2 == 0, 4 + i % 3 * 2) + "\n" +
            counting(i * 3 % 10, i % 3 == 0, 4 + i % 4 * 2) + "\n\n";
  return text;
}

double numberAfter(const std::string &text, const std::string &label) {
  size_t at = text.find(label);
  EXPECT_NE(at, std::string::npos) << "no '" << label << "' in:\n" << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + label.size()));
}

class LmTest : public testing::Test {
protected:
  LmTest() {
    folder.write("train.txt", documents(600, 0));
    folder.write("valid.txt", documents(40, 600));
  }

  Finished train(const std::vector<std::string> &options) const {
    std::vector<std::string> command = {TRAINER, "--data",         folder.root(), "--checkpoint",
                                        model,   "--batch-tokens", "384"};
    command.insert(command.end(), options.begin(), options.end());
    return runProgram(command);
  }

  Finished generate(const std::vector<std::string> &options) const {
    std::vector<std::string> command = {GENERATE, "--checkpoint", model};
    command.insert(command.end(), options.begin(), options.end());
    return runProgram(command);
  }

  // Parameters and state of the checkpoint, as bytes.
  std::string tensors() const {
    Model opened(lm_small_model);
    loadCheckpoint(opened, model + "/checkpoint.safetensors");
    std::string bytes;
    for (int32_t i = 0; i < lm_small_model.variable_count; ++i)
      if (lm_small_model.variables[i].kind != AXL_SESSION) {
        Tensor tensor = opened.variable(lm_small_model.variables[i].value.name);
        bytes.append(static_cast<const char *>(tensor.data()), size_t(tensor.bytes()));
      }
    return bytes;
  }

  TemporaryFolder folder;
  std::string model = folder.path("model");
};

void expectFailure(const Finished &finished, const std::string &message) {
  EXPECT_NE(finished.status, 0) << finished.output;
  EXPECT_THAT(finished.errors, HasSubstr(message));
}

TEST_F(LmTest, LearnsToCount) {
  Finished trained = train({"--steps", "300"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  // First words, directions and lengths are chance; what is between them is not.
  EXPECT_LT(numberAfter(trained.output, "validation perplexity "), 2.2);
  EXPECT_THAT(trained.output, HasSubstr("4 texts that begin as validation documents do:"));
  EXPECT_TRUE(std::filesystem::exists(model + "/loss.png"));

  Finished up = generate({"up three four", "--temperature", "0", "--tokens", "6"});
  EXPECT_THAT(up.output, StartsWith("up three four five")) << up.errors;
  Finished down = generate({"down two one", "--top-k", "1", "--tokens", "6", "--seed", "9"});
  EXPECT_THAT(down.output, StartsWith("down two one zero")) << down.errors;

  // The same seed gives the same text, another one another.
  std::vector<std::string> hot = {"up", "--temperature", "1.5", "--top-p", "1", "--seed", "4"};
  std::string first = generate(hot).output;
  EXPECT_EQ(generate(hot).output, first);
  hot.back() = "5";
  EXPECT_NE(generate(hot).output, first);

  // The samples of a prompt have the seeds that follow.
  auto one = [&](const std::string &prompt, const std::string &seed) {
    return generate({prompt, "--temperature", "1.5", "--seed", seed}).output;
  };
  EXPECT_EQ(generate({"--temperature", "1.5", "--samples", "2", "up", "down"}).output,
            one("up", "1") + "\n" + one("up", "2") + "\n" + one("down", "1") + "\n" +
                one("down", "2"));
  EXPECT_NE(one("up", "1"), one("up", "2"));

  // What is written beside a text does not change it: alone, in a batch, and with other threads.
  axl_set_threads(2);
  Model opened(lm_small_model);
  loadCheckpoint(opened, model + "/checkpoint.safetensors");
  Vocabulary vocabulary = Vocabulary::load(model + "/vocabulary.model");
  Writer writer(opened, vocabulary, {.temperature = 1.5}, 0);
  std::vector<Writer::Beginning> beginnings;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    beginnings.push_back({"up", seed});
    beginnings.push_back({counting(int(seed), false, 1 + int(seed) % 4), seed});
  }
  std::vector<Writer::Text> together = writer.write(beginnings);
  for (size_t i = 0; i < beginnings.size(); ++i) {
    EXPECT_EQ(writer.write(std::span(&beginnings[i], 1))[0].text, together[i].text);
    EXPECT_THAT(together[i].text, StartsWith(beginnings[i].text));
    EXPECT_EQ(std::ranges::count(together[i].tokens, Vocabulary::end), 1) << "of the text before";
  }
  EXPECT_NE(together[0].text, together[2].text);
  EXPECT_EQ(together[6].text + "\n", first) << "'up' with seed 4, by the model without training";

  // Its attention as a picture, and the weights behind it.
  std::string picture = folder.path("attention.png");
  Finished drawn = generate({"up one two", "--tokens", "5", "--attention", picture});
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_THAT(readFile(picture), StartsWith("\x89PNG"));
  picture = folder.path("attention.svg"); // of as much as the model has room for
  drawn = generate({"up one two", "--temperature", "5", "--attention", picture});
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_THAT(readFile(picture), HasSubstr("<svg"));
  Tensor tokens(AXL_I32, {2, 9});
  for (int64_t i = 0; i < tokens.size(); ++i)
    tokens.view<int32_t>()[i] = int32_t(4 + i);
  for (const NamedTensor &layer : opened.run("attention", {{"tokens", tokens}}))
    expectRows(layer, [](int64_t, int64_t query) { return query + 1; });
}

TEST_F(LmTest, GenerationHasNothingOfTraining) {
  std::vector<std::string> functions;
  for (int32_t i = 0; i < lm_small_generation_model.function_count; ++i)
    functions.emplace_back(lm_small_generation_model.functions[i].name);
  EXPECT_THAT(functions, UnorderedElementsAre("prefill", "decode_step", "attention"));
  auto count = [](const axl_model &model, int32_t kind) {
    return std::count_if(model.variables, model.variables + model.variable_count,
                         [&](const axl_variable_info &variable) { return variable.kind == kind; });
  };
  EXPECT_EQ(count(lm_small_generation_model, AXL_STATE), 0);
  for (int32_t kind : {AXL_PARAMETER, AXL_SESSION})
    EXPECT_EQ(count(lm_small_generation_model, kind), count(lm_small_model, kind));
}

TEST_F(LmTest, ResumingGivesTheSameBits) {
  ASSERT_EQ(train({"--steps", "40"}).status, 0);
  std::string straight = tensors();
  ASSERT_EQ(train({"--steps", "15"}).status, 0);
  EXPECT_NE(tensors(), straight);
  Finished resumed = train({"--steps", "40", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(tensors(), straight);
  Finished evaluated = train({"--minutes", "0"});
  EXPECT_EQ(numberAfter(evaluated.output, "validation perplexity "),
            numberAfter(resumed.output, "validation perplexity "));
}

// Without spaces the first words are the whole text, and the first character here is no token.
TEST_F(LmTest, SamplesOfDocumentsWithLongOrEmptyBeginnings) {
  std::string word;
  for (int i = 0; i < 30; ++i)
    word += digits[i % 10];
  folder.write("valid.txt", word + "\n\n\u200b\n" + counting(1, true, 4) + "\n");
  Finished trained = train({"--steps", "5"});
  EXPECT_EQ(trained.status, 0) << trained.errors;
  EXPECT_THAT(trained.output, HasSubstr("1 texts that begin as validation documents do:"));
}

TEST_F(LmTest, UnigramUnitsDoAsWell) {
  Finished trained = train({"--steps", "150", "--units", "unigram"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_LT(numberAfter(trained.output, "validation perplexity "), 4);
  std::string unigram = readFile(model + "/vocabulary.model");
  ASSERT_EQ(train({"--steps", "1", "--units", "bpe"}).status, 0);
  EXPECT_NE(readFile(model + "/vocabulary.model"), unigram);
  expectFailure(train({"--steps", "5", "--units", "words"}), "--units: Check words value in {bpe");
}

TEST_F(LmTest, WhatIsWrongWithACorpus) {
  folder.write("train.txt", "\n\n");
  expectFailure(train({"--steps", "5"}),
                "train.txt' is empty; expected a sentence a line and a blank line between "
                "documents");
  std::filesystem::remove(folder.path("train.txt"));
  expectFailure(train({"--steps", "5"}), "train.txt': No such file or directory");
}

TEST_F(LmTest, WhatIsWrongWithAVocabulary) {
  expectFailure(generate({"up"}), "train first");
  ASSERT_EQ(train({"--steps", "5"}).status, 0);
  const std::string_view lines[] = {"up one two three", "down nine eight seven"};
  Vocabulary::learn(lines, 30, model + "/vocabulary.model");
  for (const Finished &finished : {generate({"up"}), train({"--steps", "9", "--resume"})})
    expectFailure(finished, "has 30 units, but the model was compiled for 40: it belongs to "
                            "another model; train anew\n");
}

TEST_F(LmTest, WhatIsWrongWithAPrompt) {
  ASSERT_EQ(train({"--steps", "5"}).status, 0);
  expectFailure(generate({""}), "lm-generate: error: a prompt is empty: write at least a word for "
                                "the model to go on from\n");
  expectFailure(generate({counting(1, true, 30)}), "lm-generate: error: prompt 1 has ");
  expectFailure(generate({counting(1, true, 30)}),
                "tokens, but model 'lm_small_generation' was compiled for 24 positions\n");
  expectFailure(generate({"--samples", "3", "up", counting(1, true, 30)}), "error: prompt 2 has ");
  expectFailure(generate({"up", "--tokens", "30"}), ", and 30 more were asked for");
  expectFailure(generate({}), "prompt is required");
}

TEST_F(LmTest, WhatIsWrongWithFlags) {
  ASSERT_EQ(train({"--steps", "5"}).status, 0);
  expectFailure(generate({"up", "--temperature", "-1"}),
                "sampling with temperature -1; it must be a number from 0");
  for (const char *share : {"0", "1.5"})
    expectFailure(generate({"up", "--top-p", share}), "it must be above 0 and at most 1");
  expectFailure(generate({"up", "--top-k", "-2"}), "--top-k: '-2' is not a number from 0");
  for (const char *flag : {"--seed", "--top-k"})
    expectFailure(generate({"up", flag, "010"}),
                  std::string(flag) + ": '010' begins with a 0: leave it out");
  expectFailure(generate({"up", "--tokens", "-2"}), "--tokens");
  expectFailure(generate({"up", "down", "--attention", folder.path("a.png")}),
                "--attention draws one text; there are 2");
  expectFailure(generate({"up", "--luck", "7"}), "--luck");
  expectFailure(train({"--luck", "7"}), "--luck");
  expectFailure(train({"--steps", "5", "--batch-tokens", "12289"}),
                "--batch-tokens is 12289, but the model was compiled for at most 12288 positions");
  EXPECT_FALSE(std::filesystem::exists(model + "/previous"));
  EXPECT_EQ(generate({"--help"}).status, 0);
}

} // namespace
