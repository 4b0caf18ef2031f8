// What the training loop writes: checkpoints, the best one, and the history.
#include "runtime/train/History.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FaultyFiles.h"
#include "tests/runtime/TrainerFixture.h"
#include "tests/support/FileSizeLimit.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST_F(Trainer, ValidatesAndKeepsTheBest) {
  std::vector<double> losses{4, 3, 5, 3.5};
  size_t calls = 0;
  options.validate = [&](Model &) { return Validation{losses.at(calls++), {{"bleu", 12.5}}}; };
  options.validationSteps = 5;
  options.bestCheckpoint = folder.path("best");
  options.history = folder.path("history");
  TrainResult result = train(model, tokens, {}, options);
  EXPECT_EQ(calls, 4u);
  EXPECT_EQ(result.validation.loss, 3.5);
  EXPECT_EQ(readPosition(options.bestCheckpoint).step, 10);
  EXPECT_EQ(readPosition(options.bestCheckpoint).validation, 3);
  auto [steps, values] = readHistory(options.history, "validation_loss");
  EXPECT_THAT(steps, ElementsAre(5, 10, 15, 20));
  EXPECT_EQ(values, losses);
  EXPECT_EQ(readHistory(options.history, "bleu").second.back(), 12.5);

  // A resumed run knows what the best was.
  losses = {3.2};
  calls = 0;
  options.steps = 25;
  train(model, tokens, result.position, options);
  EXPECT_EQ(readPosition(options.bestCheckpoint).step, 10);

  // One that begins does not care what another one left there.
  losses = {9};
  calls = 0;
  options.steps = 5;
  train(model, tokens, {}, options);
  EXPECT_EQ(readPosition(options.bestCheckpoint).validation, 9);

  // Nor does one that goes on after it was killed before its first validation.
  struct Killed {};
  options.checkpointSteps = 2;
  tokens.onBatch = [](const DataPosition &position, View<int32_t>) {
    if (position == DataPosition{1, 0})
      throw Killed();
  };
  EXPECT_THROW(train(model, tokens, {}, options), Killed);
  tokens.onBatch = nullptr;
  losses = {10};
  calls = 0;
  train(model, tokens, loadCheckpoint(model, options.checkpoint).position, options);
  EXPECT_EQ(readPosition(options.bestCheckpoint).validation, 10);
}

TEST_F(Trainer, SaysWhatIsTheBestSoFarAlsoOfTheTrainingThatItGoesOn) {
  std::vector<double> losses{3, 4};
  options.validate = [&](Model &) {
    double loss = losses.front();
    losses.erase(losses.begin());
    return Validation{loss, {}};
  };
  options.validationSteps = 10;
  options.history = folder.path("history");
  TrainingPosition position = train(model, tokens, {}, options).position;

  options.progress = 2;
  losses = {3.5, 2.5};
  options.steps = 40;
  testing::internal::CaptureStderr();
  train(model, tokens, position, options);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("validation loss 3.5000\n"));
  EXPECT_THAT(said, HasSubstr("validation loss 2.5000  (best so far)\n"));

  // Steps that are done again were never a part of it.
  folder.write("history", "{\"step\": 10, \"validation_loss\": 3}\n"
                          "{\"step\": 20, \"validation_loss\": 1}\n");
  position.step = 10;
  losses = {2.5};
  options.steps = 20;
  testing::internal::CaptureStderr();
  train(model, tokens, position, options);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("validation loss 2.5000  (best so far)\n"));
}

struct CountingFiles : FileLayer {
  int rename(const std::string &from, const std::string &to) override {
    return ++written, FileLayer::rename(from, to);
  }
  int written = 0;
};

TEST_F(Trainer, ACheckpointIsWrittenOnceAndOnlyWhereOneIsDue) {
  CountingFiles files;
  options.files = &files;
  options.validationSteps = 1;
  train(model, tokens, {}, options); // nothing validates
  EXPECT_EQ(files.written, 1);

  files.written = 0;
  options.validate = [](Model &) { return Validation{3, {}}; };
  options.checkpointSteps = options.validationSteps = 5;
  train(model, tokens, {}, options);
  EXPECT_EQ(files.written, 4);
}

TEST_F(Trainer, ACheckpointTellsNoValidationOfAnotherStep) {
  options.validate = [](Model &) { return Validation{3, {}}; };
  options.bestCheckpoint = folder.path("best");
  train(model, tokens, {}, options);
  TrainingPosition best = loadCheckpoint(model, options.bestCheckpoint).position;
  EXPECT_EQ(best.validation, 3);
  options.steps = 25;
  train(model, tokens, best, options);
  EXPECT_EQ(readPosition(options.checkpoint).validation, std::nullopt);
}

TEST_F(Trainer, ABestCheckpointThatCannotBeRemovedIsToldOf) {
  FaultyFiles files;
  files.failing = FaultyFiles::Unlink;
  options.files = &files;
  options.validate = [](Model &) { return Validation{std::nan(""), {}}; }; // no best of its own
  options.bestCheckpoint = folder.write("best", "of an earlier training");
  expectError(AXL_ERROR_FILE, HasSubstr("cannot remove '" + options.bestCheckpoint),
              [&] { train(model, tokens, {}, options); });
  EXPECT_EQ(readPosition(options.checkpoint).step, 20);

  options.steps = 25;
  options.history = folder.write("history", "{\"step\": 30, \"loss\": 1}\n");
  TrainingPosition position = loadCheckpoint(model, options.checkpoint).position;
  expectError(AXL_ERROR_FORMAT, HasSubstr("; remove that file to go on without it"),
              [&] { train(model, tokens, position, options); });
  EXPECT_THAT(readHistory(options.history, "step").second, ElementsAre(30)); // left alone
}

TEST_F(Trainer, TheLastStepOfAnEpochIsInThatEpoch) {
  options.history = folder.path("history");
  options.historySteps = 1;
  options.steps = 4; // of two an epoch
  train(model, tokens, {}, options);
  EXPECT_THAT(readHistory(options.history, "epoch").second, ElementsAre(0, 0, 1, 1));
}

TEST_F(Trainer, ALossThatIsNoNumberIsNeverTheBest) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> losses{std::nan(""), 3, 2, infinite};
  std::vector<int64_t> best;
  options.validate = [&, calls = size_t(0)](Model &) mutable {
    bool isThere = std::filesystem::exists(options.bestCheckpoint);
    best.push_back(isThere ? readPosition(options.bestCheckpoint).step : 0);
    return Validation{.loss = losses.at(calls++), .metrics = {}};
  };
  options.validationSteps = 5;
  options.bestCheckpoint = folder.path("best");
  train(model, tokens, {}, options);
  EXPECT_THAT(best, ElementsAre(0, 0, 10, 15));
  EXPECT_EQ(readPosition(options.bestCheckpoint).step, 15);
}

TEST_F(Trainer, SavesEveryMinuteUnlessToldOtherwise) {
  EXPECT_EQ(TrainOptions().checkpointSeconds, 60);
  options.checkpointSeconds = 1e-9;
  int64_t saved = -1;
  tokens.onBatch = [&](const DataPosition &position, View<int32_t>) {
    if (position == DataPosition{2, 1})
      saved = readPosition(options.checkpoint).step;
  };
  train(model, tokens, {}, options);
  EXPECT_EQ(saved, 5);
}

TEST_F(Trainer, ALossOfZeroIsTheBestUntilThereIsALowerOne) {
  const std::vector<double> losses{0.5, 0, 3, -1};
  std::vector<int64_t> best;
  options.validate = [&, calls = size_t(0)](Model &) mutable {
    if (calls > 0)
      best.push_back(readPosition(options.bestCheckpoint).step);
    return Validation{.loss = losses.at(calls++), .metrics = {}};
  };
  options.validationSteps = 5;
  options.bestCheckpoint = folder.path("best");
  train(model, tokens, {}, options);
  EXPECT_THAT(best, ElementsAre(5, 10, 10));
  EXPECT_EQ(readPosition(options.bestCheckpoint).validation, -1);
  EXPECT_EQ(readPosition(options.checkpoint).validation, std::nullopt);
}

// A link stands for the file that it leads to, which may be on another disk.
TEST_F(Trainer, TheBestOfAnEarlierTrainingGoesWhereLinksLead) {
  std::string file = folder.write("elsewhere", "an earlier best");
  options.bestCheckpoint = folder.path("best");
  std::filesystem::create_symlink(file, options.bestCheckpoint);
  options.validate = [](Model &) { return Validation{.loss = NAN, .metrics = {}}; };
  train(model, tokens, {}, options);
  EXPECT_TRUE(std::filesystem::is_symlink(options.bestCheckpoint));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Trainer, WithoutValidationTheBestStays) {
  options.bestCheckpoint = folder.write("best", "of a training that has validations");
  train(model, tokens, {}, options);
  EXPECT_TRUE(std::filesystem::exists(options.bestCheckpoint));
}

TEST_F(Trainer, HistoryForgetsStepsThatAreDoneAgain) {
  options.history = folder.path("history");
  train(model, tokens, {}, options);
  EXPECT_THAT(readHistory(options.history, "loss").first, ElementsAre(5, 10, 15, 20));
  TrainingPosition position;
  position.step = 10;
  position.data = {5, 0};
  options.steps = 15;
  train(model, tokens, position, options);
  EXPECT_THAT(readHistory(options.history, "loss").first, ElementsAre(5, 10, 15));
}

TEST_F(Trainer, ADamagedHistoryIsAnError) {
  options.history = folder.write("history", "{\"step\": 5}\n{\"step\": \"x\"}\n");
  TrainingPosition position;
  position.step = 10;
  expectError(AXL_ERROR_FORMAT, options.history + ":2: 'step' is no number",
              [&] { train(model, tokens, position, options); });
}

TEST_F(Trainer, AFolderThatCannotBeWrittenIsKnownBeforeTheFirstStep) {
  options.checkpoint = folder.path("missing/last");
  options.history = folder.write("history", "{\"step\": 5}\n");
  expectError(AXL_ERROR_FILE, HasSubstr("No such file or directory; the folder '"),
              [&] { train(model, tokens, {}, options); });
  EXPECT_EQ(model.variable("count").view<int32_t>()[0], 0);
  EXPECT_EQ(readFile(options.history), "{\"step\": 5}\n");
}

TEST_F(Trainer, AFullDiskStopsOnlyTheLastSave) {
  train(model, tokens, {}, options);
  FaultyFiles files;
  files.failing = FaultyFiles::Write;
  files.reason = ENOSPC;
  options.files = &files;
  options.checkpointSteps = 5;
  TrainingPosition position = readPosition(options.checkpoint);
  options.steps = 40;
  int validated = 0;
  options.validate = [&](Model &) { return ++validated, Validation(); };
  expectError(AXL_ERROR_FILE, HasSubstr("No space left on device"),
              [&] { train(model, tokens, position, options); });
  EXPECT_EQ(model.variable("count").view<int32_t>()[0], 40);
  EXPECT_EQ(validated, 1);
  EXPECT_EQ(readPosition(options.checkpoint).step, 20);
}

TEST_F(Trainer, ADiskThatIsFullForAWhileEndsNothing) {
  options.history = folder.path("history.jsonl");
  options.bestCheckpoint = folder.path("best");
  options.checkpointSteps = options.historySteps = 2;
  double loss = 10;
  options.validate = [&](Model &) { return Validation{.loss = --loss, .metrics = {}}; };
  options.validationSteps = 4;
  std::optional<FileSizeLimit> full;
  tokens.onBatch = [&](const DataPosition &at, View<int32_t>) { // two steps an epoch
    if (at.epoch == 2 && at.batch == 0)                         // a part of the next line has room
      full.emplace(std::filesystem::file_size(options.history) + 10);
    if (at.epoch == 7)
      full.reset();
  };
  EXPECT_EQ(train(model, tokens, {}, options).position.step, 20);
  EXPECT_EQ(readPosition(options.checkpoint).step, 20);
  EXPECT_EQ(readPosition(options.bestCheckpoint).step, 20);
  EXPECT_THAT(readHistory(options.history, "loss").first, ElementsAre(2, 4, 16, 18, 20));
  EXPECT_THAT(readHistory(options.history, "validation_loss").first, ElementsAre(4, 16, 20));
}

} // namespace
