#include "examples/common/Training.h"

#include "examples/common/CommandLine.h"
#include "examples/common/Curve.h"
#include "examples/common/Print.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

using namespace axloom::runtime;

namespace example {
namespace {

constexpr double year = 365 * 24 * 60; // minutes

TrainingPosition resume(Model &model, const RunFolder &folder, const TrainingFlags &flags) {
  if (!std::filesystem::exists(folder.checkpoint))
    throw Error(AXL_ERROR_FILE, concat("there is no checkpoint '", folder.checkpoint, "' to ",
                                       flags.trains() ? "go on from: start without --resume"
                                                      : "evaluate: train first, which --minutes "
                                                        "0 leaves out"));
  LoadedCheckpoint loaded = loadCheckpoint(model, folder.checkpoint);
  if (!loaded.sameGraph)
    print("note: the model's graph has changed since the checkpoint; its tensors still fit");
  if (flags.seed && *flags.seed != loaded.position.seed)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("the checkpoint was made with --seed ", loaded.position.seed, ", not ",
                       *flags.seed, ": leave --seed out, or start without --resume"));
  print("going on after step {}", formatCount(loaded.position.step));
  return loaded.position;
}

} // namespace

void TrainingFlags::addTo(CommandLine &parser, const std::string &corpus) {
  parser.addFolder("--data", data, corpus)->required();
  parser.addFolder("--checkpoint", folder, "Folder for vocabulary, checkpoint, history and curve")
      ->capture_default_str();
  parser
      .add_option(
          "--minutes", minutes,
          concat("Minutes of training [",
                 usualMinutes > 0 ? concat(usualMinutes, ", or no limit with --steps") : "no limit",
                 "]; 0: only evaluate"))
      ->check(between(0.0, year))
      ->type_name("N");
  parser.add_option("--steps", steps, "Optimizer steps in all, with those before --resume")
      ->check(numberOfSteps())
      ->type_name("N");
  parser.add_option("--history-steps", historySteps, "Steps between losses in the history")
      ->check(positive())
      ->capture_default_str()
      ->type_name("N");
  parser.add_flag("--resume", resume, "Go on from the checkpoint");
  parser.add_option("--seed", seed, "Of initial values, shuffling and dropout [1]")
      ->check(between(0, std::numeric_limits<uint32_t>::max()))
      ->type_name("N");
  parser.addThreads();
}

void TrainingFlags::addValidationTo(CommandLine &parser) {
  parser
      .add_option(
          "--validation-minutes", validationMinutes,
          "Minutes between validations, beside the one at the end [a tenth of --minutes, at "
          "least half a minute, at most 5]")
      ->check(positive())
      ->type_name("N");
}

double TrainingFlags::validationSeconds() const {
  return validationMinutes ? 60 * *validationMinutes : std::clamp(seconds() / 10, 30.0, 300.0);
}

TrainingPosition begin(Model &model, RunFolder &folder, const TrainingFlags &flags) {
  if (flags.trains())
    folder.prepare();
  if (flags.usesCheckpoint())
    return resume(model, folder, flags);
  if (std::string previous = folder.setAside(); !previous.empty())
    print("the files of the earlier run are in {} now", previous);
  TrainingPosition position;
  position.seed = flags.seed.value_or(1);
  return position;
}

TrainOptions trainOptions(const TrainingFlags &flags, const RunFolder &folder, uint32_t seed,
                          std::function<Validation(Model &)> validate) {
  TrainOptions train;
  train.seconds = flags.seconds();
  train.steps = flags.steps;
  train.seed = seed;
  train.checkpoint = folder.checkpoint;
  train.history = folder.history;
  train.historySteps = flags.historySteps;
  train.validate = std::move(validate);
  train.validationSeconds = flags.validationSeconds();
  return train;
}

bool trainAndReport(Model &model, BatchSource &batches, const TrainingPosition &position,
                    const TrainOptions &options, const RunFolder &folder, const std::string &title,
                    Validation &validation) {
  TrainResult result = train(model, batches, position, options);
  const TrainingPosition &end = result.position;
  print("{} after step {}, epoch {}: {} tokens, {}/s",
        result.reason == StopReason::Signal ? "stopped by a signal" : "trained",
        formatCount(end.step), (end.last ? end.last->position : end.data).epoch + 1,
        formatCount(end.tokens), formatCount(std::llround(result.tokensPerSecond)));
  if (drawCurve(folder.history, folder.curve, title))
    print("loss curve: {}", folder.curve);
  print("checkpoint: {}", folder.checkpoint);
  validation = result.validation;
  return result.reason != StopReason::Signal;
}

} // namespace example
