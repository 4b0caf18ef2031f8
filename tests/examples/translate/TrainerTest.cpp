// The programs from end to end, around the fake model: learn, train, save, resume, translate.
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/train/History.h"
#include "tests/examples/translate/RunTest.h"
#include "translate.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <sstream>
#include <thread>

using namespace example;
using axloom::runtime::Model;
using axloom::runtime::Tensor;
using axloom::test::readFile;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

class TrainerTest : public RunTest {};

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// Parameters and state of a checkpoint, as bytes.
std::string tensors(const std::string &checkpoint) {
  Model model(translate_model);
  axloom::runtime::loadCheckpoint(model, checkpoint);
  std::string bytes;
  for (const char *name : {"translation", "previous", "step"}) {
    Tensor tensor = model.variable(name);
    bytes.append(static_cast<const char *>(tensor.data()), size_t(tensor.bytes()));
  }
  return bytes;
}

TEST_F(TrainerTest, LearnsToTranslate) {
  Finished trained = train({"--steps", "400"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_LT(numberAfter(trained.output, "validation perplexity "), 1.2);
  EXPECT_GT(numberAfter(trained.output, "test BLEU "), 95);
  EXPECT_THAT(trained.output, HasSubstr("train: 1,000 pairs"));
  EXPECT_THAT(trained.output, HasSubstr("10 sample translations:"));
  EXPECT_EQ(readFile(toy.model + "/loss.png").substr(1, 3), "PNG");
  EXPECT_THAT(readFile(toy.model + "/history.jsonl"), HasSubstr("\"validation_loss\""));

  const std::vector<std::string> texts = {"we see the old car", "you hear an red dog now",
                                          "they like tea"};
  std::string expected, input;
  for (const std::string &text : texts) {
    expected += toyTranslation(text) + "\n";
    input += text + "\n";
  }
  Finished arguments = translate(texts);
  EXPECT_EQ(arguments.status, 0) << arguments.errors;
  EXPECT_EQ(arguments.output, expected);
  EXPECT_EQ(translate({}, input).output, expected);
  EXPECT_EQ(translate({"--beams", "4"}, input).output, expected);
  EXPECT_GT(numberAfter(train({"--minutes", "0", "--beams", "4"}).output, "test BLEU "), 95);
  EXPECT_EQ(translate({}, "\n" + input + "\n").output, "\n" + expected + "\n");
  EXPECT_EQ(translate({}, "we see the old car").output, toyTranslation(texts[0]) + "\n");
  // The last of several folders counts.
  EXPECT_THAT(translate({"--checkpoint", "nowhere", texts[0]}).errors, HasSubstr("nowhere"));
}

TEST_F(TrainerTest, TheSourceMatters) {
  ASSERT_EQ(train({"--steps", "300"}).status, 0);
  double straight = numberAfter(train({"--minutes", "0"}).output, "validation perplexity ");
  Finished shuffled = train({"--steps", "300", "--shuffle-sources"});
  // The targets are uniform over 21 words: without the source the perplexity stays near that.
  EXPECT_LT(straight * 5, numberAfter(shuffled.output, "validation perplexity "));
}

TEST_F(TrainerTest, ResumingGivesTheSameBits) {
  ASSERT_EQ(train({"--steps", "70", "--batch-tokens", "256"}).status, 0);
  std::string straight = tensors(checkpoint());
  ASSERT_EQ(train({"--steps", "30", "--batch-tokens", "256"}).status, 0);
  EXPECT_NE(tensors(checkpoint()), straight);
  Finished resumed = train({"--steps", "70", "--batch-tokens", "256", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, HasSubstr("going on after step 30"));
  EXPECT_EQ(tensors(checkpoint()), straight);
}

TEST_F(TrainerTest, SeedsMatter) {
  ASSERT_EQ(train({"--steps", "20"}).status, 0);
  std::string one = tensors(checkpoint());
  ASSERT_EQ(train({"--steps", "20"}).status, 0);
  EXPECT_EQ(tensors(checkpoint()), one);
  ASSERT_EQ(train({"--steps", "20", "--seed", "2"}).status, 0);
  EXPECT_NE(tensors(checkpoint()), one);
}

TEST_F(TrainerTest, TheHistoryHasAsManyLossesAsAskedFor) {
  ASSERT_EQ(train({"--steps", "12", "--history-steps", "4"}).status, 0);
  auto [steps, losses] = axloom::runtime::readHistory(toy.model + "/history.jsonl", "loss");
  EXPECT_THAT(steps, ElementsAre(4, 8, 12));
}

TEST_F(TrainerTest, ValidatesAsOftenAsAskedFor) {
  auto validated = [&] {
    return axloom::runtime::readHistory(toy.model + "/history.jsonl", "validation_loss").first;
  };
  ASSERT_EQ(train({"--steps", "3"}).status, 0);
  EXPECT_THAT(validated(), ElementsAre(3));
  ASSERT_EQ(train({"--steps", "3", "--validation-minutes", "1e-9"}).status, 0);
  EXPECT_THAT(validated(), ElementsAre(1, 2, 3));
}

class SignalTest : public TrainerTest, public testing::WithParamInterface<int> {};

TEST_P(SignalTest, SavesAndEndsCleanly) {
  Process process(trainer({"--minutes", "5"}));
  std::string history = toy.model + "/history.jsonl";
  auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (readFile(history).empty() && std::chrono::steady_clock::now() < giveUp)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  process.signal(GetParam());
  Finished stopped = process.wait();
  EXPECT_EQ(stopped.status, 130) << stopped.errors;
  EXPECT_THAT(stopped.output, HasSubstr("stopped by a signal after step "));
  EXPECT_THAT(stopped.output, Not(HasSubstr("BLEU")));
  int64_t step = 0;
  {
    Model model(translate_model);
    step = axloom::runtime::loadCheckpoint(model, checkpoint()).position.step;
  }
  Finished resumed = train({"--resume", "--steps", std::to_string(step + 5)});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, HasSubstr("BLEU"));
}

INSTANTIATE_TEST_SUITE_P(Signals, SignalTest, testing::Values(SIGINT, SIGTERM),
                         [](const auto &info) {
                           return info.param == SIGINT ? "Interrupt" : "Terminate";
                         });

TEST_F(TrainerTest, StartingAnewKeepsTheEarlierRun) {
  ASSERT_EQ(train({"--steps", "20"}).status, 0);
  std::string earlier = tensors(checkpoint());
  Finished anew = train({"--steps", "10"});
  EXPECT_THAT(anew.output,
              HasSubstr("the files of the earlier run are in " + toy.model + "/previous now"));
  EXPECT_EQ(tensors(toy.model + "/previous/checkpoint.safetensors"), earlier);
  EXPECT_NE(tensors(checkpoint()), earlier);
}

TEST_F(TrainerTest, ARunWithoutCheckpointReplacesNoEarlierOne) {
  ASSERT_EQ(train({"--steps", "20"}).status, 0);
  std::string vocabulary = readFile(toy.model + "/vocabulary.model");
  // What is wrong shows only when there is a vocabulary.
  std::string tooLong;
  for (int i = 0; i < 40; ++i)
    tooLong += "dog ";
  toy.write("valid", tooLong + "\tHund\n");
  toy.write("train", readFile(toy.data + "/train.tsv") + "other words\tandere Worte\n");
  for (int attempt = 0; attempt < 2; ++attempt) {
    Finished failed = train({"--steps", "10"});
    EXPECT_EQ(failed.status, 1);
    EXPECT_THAT(failed.errors, HasSubstr("valid: every pair has more than 24 tokens"));
    EXPECT_NE(readFile(toy.model + "/vocabulary.model"), vocabulary);
  }
  EXPECT_FALSE(std::filesystem::exists(checkpoint()));
  EXPECT_EQ(readFile(toy.model + "/previous/vocabulary.model"), vocabulary);
  EXPECT_FALSE(readFile(toy.model + "/previous/checkpoint.safetensors").empty());
}

TEST_F(TrainerTest, AMoveThatWasCutShortIsUndone) {
  ASSERT_EQ(train({"--steps", "20"}).status, 0);
  std::string vocabulary = readFile(toy.model + "/vocabulary.model");
  std::vector<std::string> moved;
  for (const char *name :
       {"vocabulary.model", "history.jsonl", "loss.png", "checkpoint.safetensors"}) {
    moved.emplace_back(name);
    std::filesystem::create_directories(toy.model + "/previous.moving");
    for (const std::string &file : moved)
      std::filesystem::rename(toy.model + "/" + file, toy.model + "/previous.moving/" + file);
    Finished resumed = train({"--steps", "20", "--resume"});
    EXPECT_EQ(resumed.status, 0) << resumed.errors;
    EXPECT_THAT(resumed.output, HasSubstr("going on after step 20"));
    EXPECT_FALSE(std::filesystem::exists(toy.model + "/previous.moving"));
  }
  ASSERT_EQ(train({"--steps", "10"}).status, 0);
  EXPECT_EQ(readFile(toy.model + "/previous/vocabulary.model"), vocabulary);
  EXPECT_FALSE(readFile(toy.model + "/previous/checkpoint.safetensors").empty());
  EXPECT_FALSE(std::filesystem::exists(toy.model + "/previous.moving"));
}

TEST_F(TrainerTest, CountsAndReportsLongPairs) {
  std::string line;
  for (int i = 0; i < 40; ++i)
    line += "dog ";
  toy.write("train", readFile(toy.data + "/train.tsv") + line + "\tHund\n" + "dog\t" + line + "\n");
  toy.write("test", readFile(toy.data + "/test.tsv") + line + "\tHund\n");
  Finished trained = train({"--steps", "200"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_THAT(trained.output,
              AllOf(HasSubstr("train: 1,000 pairs"),
                    HasSubstr("train: left out 2 pairs with more than 24 tokens on a side"),
                    HasSubstr("1 of them have more than 24 tokens, the model's limit, and count "
                              "as not translated")));

  Finished translated = translate({}, "tea\n" + line + "\nhat\n");
  EXPECT_EQ(translated.status, 1);
  EXPECT_EQ(split(translated.output).size(), 3u);
  EXPECT_EQ(split(translated.output)[1], "");
  EXPECT_THAT(translated.errors,
              AllOf(HasSubstr("text 2 has 41 tokens, the model takes 24: skipped"),
                    HasSubstr("1 of 3 texts were too long")));
}

} // namespace
