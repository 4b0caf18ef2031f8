// The training loop.
#include "runtime/train/Evaluate.h"
#include "runtime/train/SeenBatch.h"
#include "runtime/train/StepCall.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/TrainerFixture.h"

#include <algorithm>
#include <limits>

using namespace axloom::runtime;
using namespace axloom::test;
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
