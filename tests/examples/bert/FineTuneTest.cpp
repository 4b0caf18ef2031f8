// Fine-tuning: what a classifier takes of a pretraining checkpoint, and what it says of one that
// does not fit.
#include "bert_small.h"
#include "bert_small_classifier.h"
#include "examples/bert/app/Programs.h"
#include "examples/bert/app/Text.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

std::string names() {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/examples/bert/encoder.names";
}

bool sameBits(const Tensor &a, const Tensor &b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), size_t(a.bytes())) == 0;
}

bool begins(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

TEST(FineTune, TakesExactlyTheEncoder) {
  TemporaryFolder folder;
  std::string path = folder.path("checkpoint.safetensors");
  Model pretrained(bert_small_model, /*seed=*/5);
  saveCheckpoint(pretrained, {}, path);
  Model before(bert_small_classifier_model, 6), classifier(bert_small_classifier_model, 6);
  importParameters(classifier, {path}, NameTable::load(names()));
  int64_t taken = 0;
  for (int32_t i = 0; i < bert_small_classifier_model.variable_count; ++i) {
    std::string name = bert_small_classifier_model.variables[i].value.name;
    bool isEncoder = begins(name, {"embedding.", "encoder.", "pooler."});
    Tensor found = classifier.variable(name);
    EXPECT_TRUE(sameBits(found, (isEncoder ? pretrained : before).variable(name))) << name;
    taken += isEncoder;
  }
  EXPECT_EQ(taken, 3 + 2 + 2 * 16 + 2); // tables, their norm, two layers, the pooler
}

TEST(FineTune, ListsWhatIsMissingLeftOverOrOfAnotherShape) {
  TemporaryFolder folder;
  std::string path = folder.path("checkpoint.safetensors");
  Model pretrained(bert_small_model);
  Tensor word = pretrained.variable("embedding.word.weight"), bias(AXL_F32, {7});
  std::vector<Named> tensors = {{"embedding.word.weight", bias}, {"other.weight", word}};
  writeSafetensors(path, tensors, {});
  Model classifier(bert_small_classifier_model);
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr("different: 'embedding.word.weight' is [7] in the file, but should "
                              "be [50, 16]"),
                    HasSubstr("missing in the file: 'encoder.1.feed_forward.outer.bias'"),
                    HasSubstr("left over: 'other.weight', [50, 16]"),
                    testing::Not(HasSubstr("head."))),
              [&] { importParameters(classifier, {path}, NameTable::load(names())); });
}

// Texts whose label is the word that most of them have.
std::string labelledTexts(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += i % 2 ? "first\taba abb aba bab\n" : "second\tcdc ccd cdc dcd\n";
  return text;
}

// A checkpoint of pretraining from which no classifier learns to tell texts apart: with zeros, all
// texts are one to the pooler, and no gradient passes it.
void saveBlindEncoder(const std::string &path) {
  Model model(bert_small_model);
  for (int32_t i = 0; i < bert_small_model.variable_count; ++i) {
    std::string name = bert_small_model.variables[i].value.name;
    if (begins(name, {"embedding.", "encoder.", "pooler."}))
      model.writeVariable(name, Tensor(AXL_F32, model.variable(name).extents()));
  }
  saveCheckpoint(model, {}, path);
}

// All numbers that stand right after `label`.
std::vector<double> numbersAfter(const std::string &text, const std::string &label) {
  std::vector<double> found;
  for (size_t at = text.find(label); at != std::string::npos; at = text.find(label, at + 1))
    found.push_back(std::stod(text.substr(at + label.size())));
  return found;
}

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

// The program around a toy corpus and an encoder that no training can use.
class FineTuneProgram : public testing::Test {
protected:
  FineTuneProgram() {
    for (const char *split : {"train.tsv", "valid.tsv"})
      folder.write(split, labelledTexts(40));
    // The last texts have words that training has not: seeds differ in them.
    folder.write("test.tsv", labelledTexts(36) + "first\teef ffe\nfirst\tfee efe\n"
                                                 "first\tfef eff\nfirst\tfff eee\n");
    std::filesystem::create_directory(folder.root() / "model");
    std::vector<Document> documents;
    for (int i = 0; i < 60; ++i)
      documents.push_back(
          {"aba abb bab baa efe", "cdc ccd dcd ddc fef", "eef ffe fee efe aba cdc"});
    example::learnVocabulary(documents, 50, folder.path("model/vocabulary.model"));
    saveBlindEncoder(checkpoint);
  }

  // Its status; what it printed is in `output` and `errors`.
  int fineTune(const std::string &table, const char *steps = "30") {
    std::vector<std::string> words = {"bert_finetune",
                                      "--data",
                                      folder.root().string(),
                                      "--pretrained",
                                      folder.path("model"),
                                      "--names",
                                      table,
                                      "--steps",
                                      steps,
                                      "--seeds",
                                      "4",
                                      "--batch-texts",
                                      "8"};
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int status =
        example::runFineTune(bert_small_classifier_model, int(arguments.size()), arguments.data());
    output = testing::internal::GetCapturedStdout();
    errors = testing::internal::GetCapturedStderr();
    return status;
  }

  // It fails with this message, before it trains.
  void expectRefused(const std::string &table, const std::string &message) {
    EXPECT_EQ(fineTune(table), 1);
    EXPECT_THAT(errors, AllOf(HasSubstr("bert_finetune: error: "), HasSubstr(message)));
    EXPECT_THAT(output, testing::Not(HasSubstr("from scratch")));
  }

  TemporaryFolder folder;
  std::string checkpoint = folder.path("model/checkpoint.safetensors");
  std::string output, errors;
};

TEST_F(FineTuneProgram, ComparesBothKinds) {
  ASSERT_EQ(fineTune(names()), 0) << errors;
  auto scratch = numbersAfter(output, "30 steps from scratch: test accuracy ");
  auto pretrained = numbersAfter(output, "30 steps from the pretrained encoder: test accuracy ");
  ASSERT_EQ(scratch.size(), 4u) << output;
  ASSERT_EQ(pretrained.size(), 4u) << output;
  EXPECT_THAT(output, HasSubstr("seed 4, 30 steps from the pretrained encoder"));
  std::vector<double> differences;
  for (size_t i = 0; i < 4; ++i) {
    // 36 of 40 texts are as in training; of one class are 18 or 22.
    EXPECT_GE(scratch[i], 90) << output;
    EXPECT_THAT(pretrained[i], testing::AnyOf(45, 55)) << output;
    differences.push_back(pretrained[i] - scratch[i]);
  }

  double squares = 0;
  for (double difference : differences)
    squares += std::pow(difference - mean(differences), 2);
  using testing::DoubleNear;
  using testing::ElementsAre;
  EXPECT_THAT(numbersAfter(output, "\ntest accuracy: "),
              ElementsAre(DoubleNear(mean(scratch), 0.006)));
  EXPECT_THAT(numbersAfter(output, " % from scratch, "),
              ElementsAre(DoubleNear(mean(pretrained), 0.006)));
  EXPECT_THAT(numbersAfter(output, "mean difference "),
              ElementsAre(DoubleNear(mean(differences), 0.006)));
  EXPECT_THAT(numbersAfter(output, " points, standard deviation "),
              ElementsAre(DoubleNear(std::sqrt(squares / 3), 0.006)));
  EXPECT_THAT(output, HasSubstr(" over 4 seeds\n"));
}

TEST_F(FineTuneProgram, EndsWithASignal) {
  std::thread user([] {
    for (struct sigaction now{}; now.sa_handler == SIG_DFL; sigaction(SIGINT, nullptr, &now))
      std::this_thread::yield(); // nothing has been trained yet
    kill(getpid(), SIGINT);
  });
  EXPECT_EQ(fineTune(names(), "1000000"), 130);
  user.join();
  EXPECT_THAT(output, HasSubstr("stopped by a signal in step "));
  EXPECT_EQ(errors.find("error"), std::string::npos) << errors;
}

TEST_F(FineTuneProgram, WhatDoesNotFitShowsBeforeItTrains) {
  expectRefused(folder.path("none.names"), "none.names");
  expectRefused(folder.write("few.names", "- = head.weight\n"),
                "no row of the table is for parameter '");
  std::filesystem::remove(checkpoint);
  expectRefused(names(), "checkpoint.safetensors");
}

} // namespace
