// The programs from end to end, around small models: learn, train, save, resume, classify.
#include "classify_small.h"
#include "classify_small_bert.h"
#include "examples/common/RunFolder.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/checkpoint/Import.h"
#include "tests/examples/classify/ToyTexts.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <thread>

using namespace example;
using axloom::runtime::Model;
using axloom::runtime::Tensor;
using axloom::test::readFile;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class ClassifyTest : public ToyTexts {
protected:
  // Parameters and state of the checkpoint, as bytes.
  std::string tensors() const {
    Model loaded(classify_small_model);
    axloom::runtime::loadCheckpoint(loaded, files.checkpoint);
    std::string bytes;
    for (int32_t i = 0; i < classify_small_model.variable_count; ++i) {
      Tensor tensor = loaded.variable(classify_small_model.variables[i].value.name);
      bytes.append(static_cast<const char *>(tensor.data()), size_t(tensor.bytes()));
    }
    return bytes;
  }

  RunFolder files{model};
};

TEST_F(ClassifyTest, LearnsClassifiesAndReports) {
  Finished trained = train({});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_THAT(trained.output, AllOf(HasSubstr("train: 240 texts"),
                                    HasSubstr("training: 120 steps, 15 batches an epoch"),
                                    HasSubstr("with 95 % confidence) of 60 texts")));
  EXPECT_GT(numberAfter(trained.output, "test accuracy "), 97);
  EXPECT_THAT(trained.errors, HasSubstr("accuracy"));
  EXPECT_EQ(readFile(files.labels), "animal\nplant\ntool\n");
  for (const std::string &picture : {files.curve, files.confusion})
    EXPECT_EQ(readFile(picture).substr(1, 3), "PNG");

  Finished answers = classify({"the red rose", "my old dog"});
  EXPECT_EQ(answers.status, 0) << answers.errors;
  EXPECT_THAT(answers.output, AllOf(StartsWith("plant "), HasSubstr("\nanimal ")));
  EXPECT_GT(numberAfter(answers.output, "plant "), 80);
  EXPECT_THAT(classify({"--top", "1", "my axe"}).output, testing::MatchesRegex("tool [0-9.]+ %\n"));

  // What stands beside a text does not change its answer.
  std::string together = classify({}, "the red rose\nmy old dog the saw\n").output;
  EXPECT_EQ(together.substr(0, together.find('\n')),
            answers.output.substr(0, answers.output.find('\n')));
}

TEST_F(ClassifyTest, DrawsWhatItLooksAt) {
  ASSERT_EQ(train({"--steps", "2"}).status, 0);
  std::string picture = folder.path("attention.svg");
  Finished drawn = classify({"--attention", picture, "the red rose"});
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_THAT(readFile(picture), AllOf(HasSubstr("<svg"), HasSubstr("rose")));
}

TEST_F(ClassifyTest, ResumingGivesTheSameBits) {
  const std::vector<std::string> options = {"--steps", "400"};
  ASSERT_EQ(train(options).status, 0);
  std::string straight = tensors();

  std::filesystem::remove(files.history); // when there is one again, steps are being made
  Process process(trainer(options));
  auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (readFile(files.history).empty() && std::chrono::steady_clock::now() < giveUp)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.signal(SIGINT);
  Finished stopped = process.wait();
  EXPECT_EQ(stopped.status, 130);
  ASSERT_THAT(stopped.output, HasSubstr("stopped by a signal after step "));
  EXPECT_THAT(stopped.output, testing::Not(HasSubstr("test accuracy")));
  EXPECT_NE(tensors(), straight);
  Finished resumed = train({"--steps", "400", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(tensors(), straight);
}

TEST_F(ClassifyTest, ThreadsDoNotMatterAndSeedsDo) {
  ASSERT_EQ(train({"--steps", "20", "--threads", "1"}).status, 0);
  std::string one = tensors();
  ASSERT_EQ(train({"--steps", "20", "--threads", "2"}).status, 0);
  EXPECT_EQ(tensors(), one);
  ASSERT_EQ(train({"--steps", "20", "--seed", "2"}).status, 0);
  EXPECT_NE(tensors(), one);
}

TEST_F(ClassifyTest, OnlyEvaluatesWithoutMinutes) {
  Finished trained = train({"--steps", "30"});
  Finished evaluated = train({"--minutes", "0"});
  ASSERT_EQ(evaluated.status, 0) << evaluated.errors;
  EXPECT_EQ(numberAfter(evaluated.output, "test accuracy "),
            numberAfter(trained.output, "test accuracy "));
}

TEST_F(ClassifyTest, StartsWithWeightsOfOthers) {
  Model published(classify_small_bert_model, 77);
  std::string weights = writeWords(), rows = "- = head.weight\n- = head.bias\n";
  for (int32_t i = 0; i < classify_small_bert_model.variable_count; ++i) {
    const axl_variable_info &info = classify_small_bert_model.variables[i];
    std::string name = info.value.name;
    if (info.kind == AXL_PARAMETER && !name.starts_with("head."))
      rows.append("bert.").append(name).append(" = ").append(name).append("\n");
  }
  std::string names = folder.write("names", rows);
  exportParameters(published, weights + "/model.safetensors",
                   axloom::runtime::NameTable::load(names));

  std::filesystem::create_directory(model); // where a start from scratch has failed
  folder.write("model/vocabulary.model", "units");
  Finished tuned =
      train({"--task", "bert", "--weights", weights, "--names", names, "--steps", "1"});
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  EXPECT_EQ(readFile(files.words), readFile(weights + "/vocab.txt"));
  EXPECT_FALSE(std::filesystem::exists(files.vocabulary));
  Model loaded(classify_small_bert_model);
  axloom::runtime::loadCheckpoint(loaded, files.checkpoint);
  Tensor before = published.variable("encoder.0.feed_forward.inner.weight");
  Tensor after = loaded.variable("encoder.0.feed_forward.inner.weight");
  bool moved = false;
  for (int64_t i = 0; i < before.size(); ++i) {
    // One step of the rising rate, 0.003 / 20.
    EXPECT_NEAR(after.view<float>()[i], before.view<float>()[i], 2e-4);
    moved |= after.view<float>()[i] != before.view<float>()[i];
  }
  EXPECT_TRUE(moved);
  EXPECT_EQ(classify({"--task", "bert", "the red rose"}).status, 0);
}

} // namespace
