// The training loop.
#include "runtime/train/Evaluate.h"
#include "runtime/train/History.h"
#include "runtime/train/SeenBatch.h"
#include "runtime/train/StepCall.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FaultyFiles.h"
#include "tests/runtime/TrainerFixture.h"
#include "tests/support/FileSizeLimit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST_F(Trainer, LearnsUntilTheLastStep) {
  double before = evaluate(model, tokens).loss;
  options.steps = 200;
  TrainResult result = train(model, tokens, {}, options);
  EXPECT_EQ(result.reason, StopReason::Steps);
  EXPECT_EQ(result.position.step, 200);
  EXPECT_EQ(result.position.data, (DataPosition{100, 0}));
  EXPECT_EQ(result.position.tokens, 1200);
  EXPECT_EQ(model.variable("count").view<int32_t>()[0], 200);
  EXPECT_LT(evaluate(model, tokens).loss, before / 10);
  EXPECT_GT(result.tokensPerSecond, 0);
}

/// Two batches, of six and of two tokens.
class Uneven : public Tokens {
public:
  void next(Batch &batch) override {
    bool second = position().batch == 1;
    Tokens::next(batch);
    if (!second)
      return;
    batch.tensors[0].tensor.resize(AXL_I32, {1, 2});
    std::ranges::fill(batch.tensors[0].tensor.view<int32_t>(), 7);
    batch.tokens = 2;
  }
};

TEST_F(Trainer, EvaluationIsTheMeanOverTokens) {
  Uneven batches;
  StepCall call(model, "evaluate", "loss");
  std::vector<double> losses;
  forEachBatch(batches, [&](const Batch &batch) {
    call.run(batch, 0, 0);
    losses.push_back(call.loss());
  });
  ASSERT_EQ(losses.size(), 2u);
  ASSERT_NE(losses[0], losses[1]);
  EXPECT_NEAR(evaluate(model, batches).loss, (6 * losses[0] + 2 * losses[1]) / 8, 1e-6);
}

/// The same batches with a label for each row, whatever its length.
class Labelled : public Uneven {
public:
  void next(Batch &batch) override {
    Uneven::next(batch);
    batch.labels = batch.tensors[0].tensor.extents()[0];
  }
};

TEST_F(Trainer, EvaluationIsTheMeanOverLabels) {
  Labelled batches;
  StepCall call(model, "evaluate", "loss");
  double sum = 0;
  forEachBatch(batches, [&](const Batch &batch) {
    call.run(batch, 0, 0);
    sum += double(*batch.labels) * call.loss();
  });
  EXPECT_NEAR(evaluate(model, batches).loss, sum / 3, 1e-6); // of two labels and of one
}

TEST_F(Trainer, StopsWhenTimeIsUp) {
  options.steps = 0;
  options.seconds = 0.05;
  TrainResult result = train(model, tokens, {}, options);
  EXPECT_EQ(result.reason, StopReason::Time);
  EXPECT_GT(result.position.step, 0);
  EXPECT_EQ(readPosition(options.checkpoint).step, result.position.step);
}

TEST_F(Trainer, ResumingMakesTheSameBits) {
  train(model, tokens, {}, options);
  std::string whole = readFile(options.checkpoint);

  Model first(fake::model), second(fake::model, 99);
  Tokens again, more;
  options.checkpoint = folder.path("half");
  options.steps = 7;
  train(first, again, {}, options);
  auto loaded = loadCheckpoint(second, options.checkpoint);
  EXPECT_EQ(loaded.position.data, (DataPosition{3, 1}));
  options.steps = 20;
  options.seed = 99; // that of the checkpoint stays
  train(second, more, loaded.position, options);
  EXPECT_EQ(readFile(options.checkpoint), whole);
}

TEST_F(Trainer, WithOtherBatchesTheEpochBeginsAnew) {
  options.steps = 7;
  train(model, tokens, {}, options);
  tokens.onBatch = [](const DataPosition &, View<int32_t> view) { view[0] = 0; };
  options.steps = 8;
  TrainingPosition position = loadCheckpoint(model, options.checkpoint).position;
  EXPECT_EQ(position.data, (DataPosition{3, 1}));
  testing::internal::CaptureStderr();
  options.progress = 2;
  TrainResult result = train(model, tokens, position, options);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("the batches are not those of the checkpoint (other data, size or order): "
                        "epoch 4 begins anew"));
  EXPECT_EQ(result.position.data, (DataPosition{3, 1}));
  EXPECT_EQ(result.position.last->position, (DataPosition{3, 0}));
}

TEST_F(Trainer, WithoutAStepThePositionStaysTheSame) {
  options.steps = 7;
  train(model, tokens, {}, options);
  std::string before = readFile(options.checkpoint);
  TrainingPosition position = loadCheckpoint(model, options.checkpoint).position;
  tokens.onBatch = [](const DataPosition &, View<int32_t> view) { view[0] = 0; };
  EXPECT_EQ(train(model, tokens, position, options).position.data, position.data);
  EXPECT_EQ(readFile(options.checkpoint), before);
}

TEST_F(Trainer, ABatchThatIsNoLongerThereIsAnotherOne) {
  options.steps = 7;
  TrainingPosition position = train(model, tokens, {}, options).position;
  tokens.onBatch = [](const DataPosition &, View<int32_t>) {
    throw Error(AXL_ERROR_DATA, "no such batch");
  };
  EXPECT_FALSE(goesOn(tokens, position));
  position.last.reset();
  EXPECT_TRUE(goesOn(tokens, position)) << "older checkpoints do not say";
}

TEST_F(Trainer, ALossThatIsNotFiniteIsTracedToItsOrigin) {
  fake::poison = 9; // no token before step 15
  tokens.onBatch = [](const DataPosition &position, View<int32_t> view) {
    if (position == DataPosition{7, 0})
      view[4] = 9;
  };
  options.checkpointSteps = 10;
  expectError(AXL_ERROR_NOT_FINITE,
              testing::MatchesRegex(
                  "training stopped: the loss of step 15 is -?(inf|nan); it began in step 15: "
                  "train_step of model 'fake': tensor 'error', written by kernel 'token_error', is "
                  "not finite at \\[1, 1\\] \\(model.cpp:30\\); checkpoint '.*/last' is as it was "
                  "last saved"),
              [&] { train(model, tokens, {}, options); });
  EXPECT_EQ(loadCheckpoint(model, options.checkpoint).position.step, 10);
}

TEST_F(Trainer, AVariableThatIsNotFiniteIsNeverSaved) {
  Tensor table = model.variable("table");
  table.view<float>()[9] = std::numeric_limits<float>::quiet_NaN(); // a token that never comes
  model.writeVariable("table", table);
  expectError(AXL_ERROR_NOT_FINITE,
              "training stopped: variable 'table' is not finite at [9] (model.cpp:10); it began in "
              "step 1: variable 'table' is not finite at [9] (model.cpp:10)",
              [&] { train(model, tokens, {}, options); });
  EXPECT_EQ(folder.list(), "");
}

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

TEST_F(Trainer, StepsAreToldTheirNumberAndTheSeed) {
  options.steps = 7;
  options.seed = 5;
  TrainingPosition position = train(model, tokens, {}, options).position;
  EXPECT_EQ(fake::stepOfLastCall, 7);
  EXPECT_EQ(fake::seedOfLastCall, 5);
  options.steps = 20;
  train(model, tokens, position, options);
  EXPECT_EQ(fake::stepOfLastCall, 20);
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

TEST_F(Trainer, FunctionsThatDoNotFitAreErrors) {
  expectError(AXL_ERROR_ARGUMENT,
              "evaluate of model 'fake' needs a result 'losses', f32 without axes (model.cpp:20)",
              [&] { evaluate(model, tokens, "evaluate", "losses"); });
  expectError(AXL_ERROR_ARGUMENT,
              "scale of model 'fake' has result 'y', f32 [batch: B, position: S]; in training and "
              "evaluation results must be numbers without axes (model.cpp:20)",
              [&] { evaluate(model, tokens, "scale"); });
  class Nameless : public Tokens {
    void next(Batch &batch) override {
      Tokens::next(batch);
      batch.tensors[0].name = "text";
    }
  } nameless;
  expectError(
      AXL_ERROR_ARGUMENT,
      "evaluate of model 'fake' takes an argument 'source', which batches do not have; they "
      "have: seed, step, steps, text",
      [&] { evaluate(model, nameless); });
}

TEST_F(Trainer, MoreStepsThanAModelCountsAreAnError) {
  options.steps = 3'000'000'000;
  expectError(AXL_ERROR_ARGUMENT,
              "training counts up to 2147483647 steps, but this is 3000000000: train for fewer "
              "steps",
              [&] { train(model, tokens, {}, options); });
  options.steps = 0;
  TrainingPosition position;
  position.step = 2'147'483'647;
  expectError(AXL_ERROR_ARGUMENT, HasSubstr("but this is 2147483648"),
              [&] { train(model, tokens, position, options); });
}

TEST_F(Trainer, AScheduleOverAllStepsNeedsTheirNumber) {
  // The fake model, whose train_step takes `steps` where it took `step`.
  std::vector<axl_function> functions(fake::model.functions,
                                      fake::model.functions + fake::model.function_count);
  axl_function &function = functions[size_t(model.function("train_step"))];
  std::vector<axl_value> arguments(function.arguments,
                                   function.arguments + function.argument_count);
  for (axl_value &argument : arguments)
    if (argument.name == std::string_view("step"))
      argument.name = "steps";
  function.arguments = arguments.data();
  axl_model scheduled = fake::model;
  scheduled.functions = functions.data();

  Model other(scheduled);
  EXPECT_EQ(train(other, tokens, {}, options).position.step, 20);
  options.steps = 0;
  options.seconds = 1;
  expectError(AXL_ERROR_ARGUMENT,
              HasSubstr("train_step of model 'fake' takes the number of steps, so there must be "
                        "one"),
              [&] { train(other, tokens, {}, options); });
}

} // namespace
