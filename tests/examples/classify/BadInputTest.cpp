// What users get wrong, and what they read then: one test for each.
#include "classify_small.h"
#include "runtime/core/Error.h"
#include "runtime/core/Model.h"
#include "tests/examples/classify/ToyTexts.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

using namespace example;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class ClassifyBadInputTest : public ToyTexts {
protected:
  void expectRefused(const std::string &message) const {
    Finished refused = train({"--steps", "2"});
    EXPECT_EQ(refused.status, 1) << refused.output;
    EXPECT_THAT(refused.errors, AllOf(StartsWith("classify_trainer: error: "), HasSubstr(message)));
  }

  void trainFirst() const { ASSERT_EQ(train({"--steps", "2"}).status, 0); }
};

TEST_F(ClassifyBadInputTest, UnknownLabel) {
  add("valid", "stone\ta red stone\n");
  expectRefused(data +
                "/valid.tsv:31: the label 'stone' is none of the 3 labels of the training texts\n");
}

TEST_F(ClassifyBadInputTest, NewLabelOfAResumedRun) {
  trainFirst();
  add("train", "stone\ta red stone\n");
  EXPECT_EQ(train({"--steps", "4", "--resume"}).errors,
            "classify_trainer: error: " + data +
                "/train.tsv:241: the label 'stone' is none of the 3 labels of this model; for "
                "other labels, train anew\n");
}

TEST_F(ClassifyBadInputTest, TooManyLabels) {
  add("train", "stone\ta stone\nwater\ta sea\n");
  expectRefused("the training texts have 5 labels, but the model was compiled for 4 classes: "
                "compile it with --set classes=5");
}

TEST_F(ClassifyBadInputTest, LinesThatAreNone) {
  add("test", "no tab\n");
  expectRefused(data + "/test.tsv:61: expected 'label<TAB>text', found one column");
  write("test", "tool\t  \n");
  expectRefused(data + "/test.tsv:1: the text is empty");
  write("test", "");
  expectRefused("'" + data + "/test.tsv' is empty");
}

TEST_F(ClassifyBadInputTest, ALabelOutsideTheClasses) {
  using namespace axloom::runtime;
  Model opened(classify_small_model);
  Tensor tokens(AXL_I32, {1, 2}), labels(AXL_I32, {1});
  labels.view<int32_t>()[0] = 4;
  int32_t seed = 1, steps = 10;
  float loss = 0;
  try {
    opened.call("train_step",
                {{"tokens", tokens},
                 {"labels", labels},
                 {"seed", View<const int32_t>(seed)},
                 {"steps", View<const int32_t>(steps)}},
                {{"loss", View<float>(loss)}});
    FAIL() << "no error was thrown";
  } catch (const Error &error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("labels"), HasSubstr("4")));
  }
}

TEST_F(ClassifyBadInputTest, TextsThatAreLongAreCutAndCounted) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "dog ";
  add("train", "animal\t" + text + "\n");
  add("test", "animal\t" + text + "\nanimal\t" + text + "\n");
  Finished trained = train({"--steps", "2"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_THAT(trained.output,
              AllOf(HasSubstr("train: cut 1 texts with more than 12 tokens, the model's limit"),
                    HasSubstr("test: cut 2 texts with more than 12 tokens, the model's limit"),
                    HasSubstr("of 62 texts")));
  Finished answered = classify({text, "dog"});
  EXPECT_EQ(answered.status, 0);
  EXPECT_EQ(answered.errors, "classify: 1 of 2 texts had more than 12 tokens and were cut\n");
}

TEST_F(ClassifyBadInputTest, TextsWithNothingToRead) {
  add("valid", "animal\t\xe2\x80\x8b\n"); // a space of no width
  Finished trained = train({"--steps", "2"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_THAT(trained.output, HasSubstr("valid: left out 1 texts without anything to read"));
  Finished answered = classify({}, "the dog\n\nthe oak\n");
  EXPECT_EQ(answered.status, 1);
  EXPECT_EQ(answered.errors, "classify: text 2 has nothing to read\n");
  EXPECT_EQ(std::ranges::count(answered.output, '\n'), 3);
  EXPECT_THAT(classify({"--attention", folder.path("a.png"), " "}).errors,
              HasSubstr("there is nothing to read in the text whose attention to draw"));
}

TEST_F(ClassifyBadInputTest, AVocabularyOfAnotherSize) {
  trainFirst();
  Finished other = classify({"--task", "bert", "a dog"});
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.errors,
            "classify: error: the vocabulary has 60 units, but the model was compiled "
            "for 16: it belongs to another model. Choose the --task that it is of, or "
            "train anew\n");
}

TEST_F(ClassifyBadInputTest, NothingTrained) {
  EXPECT_THAT(classify({"a dog"}).errors, HasSubstr("there is no vocabulary in '" + model + "'"));
  EXPECT_THAT(train({"--resume"}).errors, HasSubstr("there is no checkpoint"));
  trainFirst();
  std::filesystem::remove(model + "/labels.txt");
  EXPECT_THAT(classify({"a dog"}).errors, HasSubstr("cannot read '" + model + "/labels.txt'"));
}

TEST_F(ClassifyBadInputTest, WeightsThatAreNotThere) {
  Finished refused = train(
      {"--task", "bert", "--weights", writeWords(), "--names", folder.write("names", "a = b\n")});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("model.safetensors"));
  trainFirst(); // what the failed start has left does not matter
  Finished answered = classify({"a dog"});
  EXPECT_EQ(answered.status, 0) << answered.errors;
}

TEST_F(ClassifyBadInputTest, AStartThatFailsLeavesTheEarlierRunInPlace) {
  trainFirst();
  std::string names = folder.write("names", "a = b\n"), weights = writeWords();
  std::string few = folder.path("few"), earlier = axloom::test::readFile(model + "/labels.txt");
  std::filesystem::create_directory(few);
  folder.write("few/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
  add("valid", "stone\ta red stone\n");
  const std::vector<std::vector<std::string>> mistakes = {
      {"--data", model},
      {"--steps", "2"}, // the label of the stone
      {"--task", "bert", "--weights", model, "--names", names},
      {"--task", "bert", "--weights", few, "--names", names},
      {"--task", "bert", "--weights", weights, "--names", names},
      {"--task", "bert", "--weights", weights, "--names", model + "/names"}};
  for (const std::vector<std::string> &options : mistakes) {
    Finished refused = train(options);
    EXPECT_EQ(refused.status, 1) << refused.output;
    EXPECT_FALSE(std::filesystem::exists(model + "/previous")) << refused.errors;
  }
  EXPECT_EQ(axloom::test::readFile(model + "/labels.txt"), earlier);
  EXPECT_EQ(classify({"a dog"}).status, 0);
}

TEST_F(ClassifyBadInputTest, NamesOfNoWeights) {
  Finished refused = train({"--names", folder.write("names", "a = b\n")});
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.errors, HasSubstr("--names requires --weights"));
}

TEST_F(ClassifyBadInputTest, MoreTextsThanTheModelTakes) {
  trainFirst();
  EXPECT_THAT(train({"--steps", "2", "--batch", "5000"}).errors,
              HasSubstr("--batch is 5000, but the model was compiled for at most 256 texts"));
  EXPECT_FALSE(std::filesystem::exists(model + "/previous"));
}

TEST_F(ClassifyBadInputTest, UnknownFlagsAndOptions) {
  EXPECT_NE(train({"--widht", "3"}).status, 0);
  EXPECT_THAT(train({"--widht", "3"}).errors, HasSubstr("--widht"));
  EXPECT_THAT(train({"--task", "topics"}).errors, HasSubstr("topics"));
  EXPECT_THAT(train({"--epochs", "2", "--steps", "3"}).errors, HasSubstr("excludes"));
  EXPECT_THAT(classify({"--attention", "a.png"}).errors, HasSubstr("requires"));
  Finished generated =
      runProgram({GENERATOR, "--output", folder.path("out"), "--name", "x", "--set", "widht=3"});
  EXPECT_NE(generated.status, 0);
  EXPECT_THAT(generated.errors, HasSubstr("widht"));
}

} // namespace
