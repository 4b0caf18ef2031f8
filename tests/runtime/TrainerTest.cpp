// The training loop.
#include "runtime/train/Evaluate.h"
#include "runtime/train/History.h"
#include "runtime/train/SeenBatch.h"
#include "runtime/train/StepCall.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/TrainerFixture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

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

/// The fake model with another function in place of one of its own.
struct AlteredModel {
  explicit AlteredModel(const char *name)
      : function(functions[size_t(Model(fake::model).function(name))]) {
    model.functions = functions.data();
  }
  /// Gives the function results beside the loss, numbers as that is.
  void addResults(std::initializer_list<const char *> names) {
    results = {function.results[0]};
    for (const char *name : names)
      results.emplace_back(results[0]).name = name;
    function.results = results.data();
    function.result_count = int32_t(results.size());
  }

  std::vector<axl_function> functions{fake::model.functions,
                                      fake::model.functions + fake::model.function_count};
  std::vector<axl_value> results;
  axl_function &function;
  axl_model model = fake::model;
};

float &numberIn(const axl_tensor &tensor) {
  return *reinterpret_cast<float *>(reinterpret_cast<char *>(tensor.memory) + tensor.offset);
}

TEST_F(Trainer, EvaluationDividesWhatIsSummedBesideTheLoss) {
  AlteredModel counting("evaluate");
  counting.addResults({"tokens", "right"});
  counting.function.entry = [](axl_context *, const axl_tensor *arguments,
                               const axl_tensor *results) -> int {
    int64_t tokens = arguments[0].extent[0] * arguments[0].extent[1];
    numberIn(results[0]) = float(5 * tokens);
    numberIn(results[1]) = float(tokens);
    numberIn(results[2]) = tokens == 6 ? 1 : 2;
    return AXL_OK;
  };
  Model other(counting.model);
  Uneven batches;
  Validation found = evaluate(other, batches);
  EXPECT_EQ(found.loss, 5);
  ASSERT_EQ(found.metrics.size(), 2u);
  EXPECT_EQ(found.metrics[0].first, "perplexity");
  EXPECT_NEAR(found.metrics[0].second, std::exp(5), 1e-9);
  EXPECT_EQ(found.metrics[1].first, "right");
  EXPECT_EQ(found.metrics[1].second, 3.0 / 8);
}

TEST_F(Trainer, HistoryHasWhatAStepGivesBesideTheLoss) {
  AlteredModel telling("train_step");
  telling.addResults({"rate", "step"}); // the line has a `step` of its own
  static axl_entry original;
  original = telling.function.entry;
  telling.function.entry = [](axl_context *context, const axl_tensor *arguments,
                              const axl_tensor *results) -> int {
    int code = original(context, arguments, results);
    numberIn(results[1]) = 0.25F * float(fake::stepOfLastCall);
    numberIn(results[2]) = -1;
    return code;
  };
  Model other(telling.model);
  options.history = folder.path("history");
  train(other, tokens, {}, options);
  auto [steps, rates] = readHistory(options.history, "rate");
  EXPECT_EQ(steps, (std::vector<double>{5, 10, 15, 20}));
  EXPECT_EQ(rates, (std::vector<double>{1.25, 2.5, 3.75, 5}));
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

TEST_F(Trainer, ProgressIsThatOfThisCall) {
  options.steps = 10;
  TrainingPosition position = train(model, tokens, {}, options).position;
  position.tokens = 1'000'000'000;
  options.steps = 20;
  options.history = folder.path("history");
  options.historySteps = 1;
  options.progress = 2;
  options.progressSeconds = 0;
  testing::internal::CaptureStderr();
  TrainResult result = train(model, tokens, position, options);
  std::string said = testing::internal::GetCapturedStderr();
  char first[64];
  std::snprintf(first, sizeof(first), "epoch 6  step 11   10 %%  loss %.4f  ",
                readHistory(options.history, "loss").second.at(0));
  EXPECT_THAT(said, StartsWith(first));
  EXPECT_THAT(said, HasSubstr("\nepoch 10  step 20  100 %  loss "));
  EXPECT_LT(result.tokensPerSecond, 1e9) << "of the tokens before, too";
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

TEST_F(Trainer, TheSameBatchBeforeAnotherOneIsAnotherOne) {
  options.steps = 7;
  TrainingPosition position = train(model, tokens, {}, options).position;
  EXPECT_TRUE(goesOn(tokens, position));
  position.data = {4, 0}; // as if it had been the last of its epoch
  EXPECT_FALSE(goesOn(tokens, position));
}

/// Counts its batches; that of step 15 has a token that is poison.
class Poisoned : public Tokens {
public:
  Poisoned() {
    fake::poison = 9;
    onBatch = [this](const DataPosition &position, View<int32_t> view) {
      ++made;
      if (position == DataPosition{7, 0})
        view[4] = 9;
    };
  }
  int64_t made = 0;
};

TEST_F(Trainer, ALossThatIsNotFiniteIsTracedToItsOrigin) {
  Poisoned batches;
  options.checkpointSteps = 10;
  expectError(AXL_ERROR_NOT_FINITE,
              MatchesRegex(
                  "training stopped: the loss of step 15 is -?(inf|nan); it began in step 15: "
                  "train_step of model 'fake': tensor 'error', written by kernel 'token_error', is "
                  "not finite at \\[1, 1\\] \\(model.cpp:30\\); checkpoint '.*/last' is as it was "
                  "last saved"),
              [&] { train(model, batches, {}, options); });
  EXPECT_EQ(loadCheckpoint(model, options.checkpoint).position.step, 10);
}

TEST_F(Trainer, OnlyStepsSinceTheLastCopyRunAgain) {
  struct Case {
    int64_t traceSteps, from, made;
    const char *origin;
  };
  for (const auto &[traceSteps, from, made, origin] :
       {Case{4, 0, 15 + 3, "; it began in step 15: .*"},
        {4, 3, 12 + 4, "; it began in step 15: .*"},
        {0, 0, 15, ""}}) {
    Poisoned batches;
    Model fresh(fake::model);
    TrainingPosition position;
    position.step = from;
    position.data = {from / 2, from % 2};
    options.traceSteps = traceSteps;
    expectError(
        AXL_ERROR_NOT_FINITE,
        MatchesRegex(concat("training stopped: the loss of step 15 is -?(inf|nan)", origin)),
        [&] { train(fresh, batches, position, options); });
    EXPECT_EQ(batches.made, made) << traceSteps << " from " << from;
  }
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
  AlteredModel scheduled("train_step"); // it takes `steps` where it took `step`
  axl_function &function = scheduled.function;
  std::vector<axl_value> arguments(function.arguments,
                                   function.arguments + function.argument_count);
  for (axl_value &argument : arguments)
    if (argument.name == std::string_view("step"))
      argument.name = "steps";
  function.arguments = arguments.data();

  Model other(scheduled.model);
  EXPECT_EQ(train(other, tokens, {}, options).position.step, 20);
  options.steps = 0;
  options.seconds = 1;
  expectError(AXL_ERROR_ARGUMENT,
              HasSubstr("train_step of model 'fake' takes the number of steps, so there must be "
                        "one"),
              [&] { train(other, tokens, {}, options); });
}

} // namespace
