// The program bert_pretrain around the small model: it learns a toy language, goes on with the same
// bits, and says what is wrong with its input.
#include "bert_small.h"
#include "examples/bert/app/Programs.h"
#include "examples/bert/app/Text.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <cmath>
#include <cstring>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

// What a mask hides has no space behind it where what follows goes on with the word.
TEST(EncodeMasked, CutsTheRestOfAWordAsSuch) {
  TemporaryFolder folder;
  const std::string path = folder.path("vocabulary.model"), masks[] = {example::maskUnit};
  const std::string_view lines[] = {"the mat, a cat. the cats, a mat. mats s", "a mat, the cat."};
  Vocabulary::learn(lines, 24, path, Units::Bpe, masks);
  Vocabulary units = Vocabulary::load(path);
  auto pieces = [&](std::string_view text) {
    std::string joined;
    for (int32_t id : example::encodeMasked(text, units, 64))
      joined += units.piece(id) + " ";
    return joined;
  };
  EXPECT_EQ(pieces("[MASK]."), "<s> [MASK] . </s> ");
  EXPECT_EQ(pieces("[MASK] the"), "<s> [MASK] \u2581the </s> ");
  EXPECT_EQ(pieces("[MASK]\tthe"), "<s> [MASK] \u2581the </s> ");
  EXPECT_EQ(pieces("[MASK]\u3000the"), "<s> [MASK] \u2581the </s> ");
  EXPECT_EQ(pieces("[MASK]s"), "<s> [MASK] s </s> ");
  EXPECT_EQ(pieces("[MASK][MASK]"), "<s> [MASK] [MASK] </s> ");
}

// Documents about one of three subjects, each with four words of its own.
std::string toyDocuments(int count, uint32_t random) {
  const char *const words[3][4] = {
      {"aba", "abb", "bab", "baa"}, {"cdc", "ccd", "dcd", "ddc"}, {"efe", "eef", "fef", "ffe"}};
  std::string text;
  for (int document = 0; document < count; ++document) {
    for (int sentence = 0; sentence < 6; ++sentence)
      for (int word = 0; word < 3; ++word) {
        random = random * 1664525 + 1013904223;
        text += words[document % 3][random >> 30];
        text += word < 2 ? " " : "\n";
      }
    text += "\n";
  }
  return text;
}

struct Ended {
  int status;
  std::string output, errors;
};

class PretrainTest : public testing::Test {
protected:
  PretrainTest() {
    std::filesystem::create_directory(folder.root() / "data");
    write("train", toyDocuments(120, 1));
    write("valid", toyDocuments(30, 2));
  }

  void write(const std::string &split, const std::string &text) const {
    folder.write("data/" + split + ".txt", text);
  }

  Ended pretrain(const std::vector<std::string> &options) const {
    return run(example::runPretrain,
               {"bert_pretrain", "--data", folder.path("data"), "--checkpoint", model(),
                "--batch-pairs", "16", "--threads", "2"},
               options);
  }
  Ended fill(const std::vector<std::string> &options) const {
    return run(example::runFill, {"bert_fill", "--checkpoint", model(), "--threads", "2"}, options);
  }

  static Ended run(int (*program)(const axl_model &, int, char **), std::vector<std::string> words,
                   const std::vector<std::string> &options) {
    words.insert(words.end(), options.begin(), options.end());
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int status = program(bert_small_model, int(arguments.size()), arguments.data());
    std::string output = testing::internal::GetCapturedStdout();
    return {status, output, testing::internal::GetCapturedStderr()};
  }

  std::string model() const { return folder.path("model"); }

  // Parameters and state of the checkpoint, as bytes.
  std::string tensors() const {
    Model loaded(bert_small_model);
    loadCheckpoint(loaded, model() + "/checkpoint.safetensors");
    std::string bytes;
    for (int32_t i = 0; i < bert_small_model.variable_count; ++i) {
      Tensor tensor = loaded.variable(bert_small_model.variables[i].value.name);
      bytes.append(static_cast<const char *>(tensor.data()), size_t(tensor.bytes()));
    }
    return bytes;
  }

  TemporaryFolder folder;
};

double numberAfter(const std::string &text, const std::string &label) {
  size_t at = text.find(label);
  EXPECT_NE(at, std::string::npos) << "no '" << label << "' in:\n" << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + label.size()));
}

TEST_F(PretrainTest, LearnsWordsAndWhatFollows) {
  Ended ended = pretrain({"--steps", "800"});
  ASSERT_EQ(ended.status, 0) << ended.errors;
  // Of 12 words, four are likely once the subject is known: log(12) is 2.5 and log(4) is 1.4.
  EXPECT_LT(numberAfter(ended.output, "loss of a hidden word "), 2.2) << ended.output;
  EXPECT_GT(numberAfter(ended.output, "told apart "), 70) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("train: 120 documents, 720 sentences"));
  EXPECT_EQ(folder.list(), "data model");
  EXPECT_TRUE(std::filesystem::exists(model() + "/loss.png"));

  Ended again = pretrain({"--minutes", "0"});
  EXPECT_EQ(numberAfter(again.output, "loss of a hidden word "),
            numberAfter(ended.output, "loss of a hidden word "));

  // The words of the subject are guessed before those of the two others.
  std::string text = "cdc ccd [MASK] dcd ddc [MASK]";
  Ended filled = fill({text, "--top", "1", "--attention", folder.path("seen.svg")});
  ASSERT_EQ(filled.status, 0) << filled.errors;
  EXPECT_THAT(filled.output, testing::MatchesRegex(text.substr(0, 8) +
                                                   "\\[MASK\\] dcd ddc "
                                                   "\\[MASK\\]\n  [^abef]* %\n  [^abef]* %\n"));
  EXPECT_EQ(folder.list(), "data model seen.svg");
}

// One step moves the biases that training starts with by no more than its small rate.
TEST_F(PretrainTest, StartsWithTheSharesOfTheWords) {
  ASSERT_EQ(pretrain({"--steps", "1"}).status, 0);
  Model loaded(bert_small_model);
  loadCheckpoint(loaded, model() + "/checkpoint.safetensors");
  Tensor bias = loaded.variable("masked_words.bias");
  auto logits = bias.view<float>();
  double shares = 0;
  for (int64_t id = 0; id < bias.size(); ++id)
    shares += std::exp(logits[id]);
  EXPECT_NEAR(shares, 1, 0.05);
  Vocabulary units = Vocabulary::load(model() + "/vocabulary.model");
  EXPECT_GT(logits[units.encode("aba").front()], logits[units.id(example::maskUnit)]);
}

TEST_F(PretrainTest, TextsInBracketsWithNothingToGuessAndTooLongOnes) {
  ASSERT_EQ(pretrain({"--steps", "1"}).status, 0);
  Ended ended = fill({"aba abb"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors, HasSubstr("bert_fill: error: there is no [MASK] in 'aba abb': put it "
                                      "in place of a word to guess"));
  ended = fill({"--top", "1", "[MASK] aba", "[MASK], [MASK]", "--", "[[MASK]]"});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  EXPECT_THAT(ended.output,
              testing::MatchesRegex("\\[MASK\\] aba\n  [^[]* %\n\\[MASK\\], \\[MASK\\]\n"
                                    "  [^[]* %\n  [^[]* %\n\\[\\[MASK\\]\\]\n  [^[]* %\n"));
  ended = fill({"[MASK] [MASK] [MASK] [MASK] [MASK] [MASK] [MASK] [MASK] [MASK] [MASK] [MASK] "
                "[MASK] [MASK] [MASK] [MASK]"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors,
              HasSubstr("a text has 17 tokens with [CLS] and [SEP], the model takes 16"));
}

TEST_F(PretrainTest, ResumingGivesTheSameBits) {
  ASSERT_EQ(pretrain({"--steps", "40"}).status, 0);
  std::string straight = tensors();
  // The rate rises for ten steps whatever their number will be.
  ASSERT_EQ(pretrain({"--steps", "8"}).status, 0);
  EXPECT_NE(tensors(), straight);
  Ended resumed = pretrain({"--steps", "40", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, HasSubstr("going on after step 8"));
  EXPECT_EQ(tensors(), straight);
}

TEST_F(PretrainTest, LongSentencesAndShortDocumentsAreCounted) {
  std::string words;
  for (int i = 0; i < 30; ++i)
    words += "aba ";
  write("valid", toyDocuments(4, 3) + words + "\naba\n\nbab bab\n\n");
  Ended ended = pretrain({"--steps", "1"});
  ASSERT_EQ(ended.status, 0) << ended.errors;
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("valid: left out 1 documents of less than two sentences"),
                    HasSubstr("valid: 1 sentences are longer than the model's 16 tokens: of these, "
                              "pairs have a part")));
}

TEST_F(PretrainTest, DocumentsThatAreNone) {
  write("train", "\n\n  \n");
  Ended ended = pretrain({"--steps", "1"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors, HasSubstr("data/train.txt' is empty; expected a sentence a line"));

  std::string text = toyDocuments(120, 1);
  text.erase(
      std::unique(text.begin(), text.end(), [](char a, char b) { return a == b && a == '\n'; }),
      text.end());
  write("train", text);
  ended = pretrain({"--steps", "1"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors, HasSubstr("data/train.txt' is a single document: put a blank line "
                                      "between documents"));
}

TEST_F(PretrainTest, AStartThatFailsLeavesTheEarlierRunInPlace) {
  ASSERT_EQ(pretrain({"--steps", "1"}).status, 0);
  std::string earlier = tensors();
  Ended ended = pretrain({"--steps", "1", "--data", folder.path("model")});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors, HasSubstr("cannot read '" + model() + "/valid.txt'"));
  write("train", "one document\n");
  EXPECT_EQ(pretrain({"--steps", "1"}).status, 1);
  EXPECT_EQ(tensors(), earlier);
  EXPECT_FALSE(std::filesystem::exists(model() + "/previous"));
}

TEST_F(PretrainTest, StepsAreRequired) {
  for (const std::vector<std::string> &options :
       {std::vector<std::string>{}, {"--minutes", "5"}, {"--resume"}}) {
    Ended ended = pretrain(options);
    EXPECT_NE(ended.status, 0);
    EXPECT_THAT(ended.errors, HasSubstr("--steps is required, unless --minutes 0 only evaluates"));
    EXPECT_EQ(folder.list(), "data");
  }
}

TEST_F(PretrainTest, MorePairsThanTheModelTakes) {
  Ended ended = pretrain({"--steps", "1", "--batch-pairs", "17"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors, HasSubstr("--batch-pairs is 17, but the model was compiled for at most "
                                      "16 pairs in a batch"));
  EXPECT_EQ(folder.list(), "data");
}

TEST_F(PretrainTest, AVocabularyOfAnotherModel) {
  ASSERT_EQ(pretrain({"--steps", "1"}).status, 0);
  std::string text = toyDocuments(20, 1);
  std::vector<Document> documents = {{text}};
  example::learnVocabulary(documents, 30, model() + "/vocabulary.model");
  Ended ended = pretrain({"--steps", "2", "--resume"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.errors, HasSubstr("has 30 units, but the model was compiled for 50: it belongs "
                                      "to another model; train anew\n"));
}

} // namespace
