// What the programs that train have in common: flags, and the way around the training loop.
#pragma once

#include "examples/common/RunFolder.h"
#include "runtime/train/Trainer.h"

#include <optional>
#include <string>

namespace example {

class CommandLine;

// What programs return after a signal that they were asked to stop by, as shells say of Ctrl-C:
// what should follow a training does not.
constexpr int stoppedBySignal = 130;

struct TrainingFlags {
  std::string data;              // folder of the corpus
  std::string folder = "model";  // of vocabulary, checkpoint, history and curve
  std::optional<double> minutes; // of training; none: `usualMinutes`, or no limit with `steps`
  double usualMinutes = 15;      // 0: no limit
  int64_t steps = 0;             // in all; 0: no limit
  int64_t historySteps = 10;     // between lines of the history
  std::optional<double> validationMinutes; // between validations; none: as the time allows
  std::optional<uint32_t> seed;
  bool resume = false;

  // Declares --data (what it is: `corpus`), --checkpoint, --minutes, --steps, --history-steps,
  // --resume, --seed and --threads.
  void addTo(CommandLine &parser, const std::string &corpus);
  // Declares --validation-minutes, for programs that validate as the time allows.
  void addValidationTo(CommandLine &parser);

  // Seconds of training; 0: no limit in time.
  double seconds() const { return 60 * minutes.value_or(steps > 0 ? 0 : usualMinutes); }
  // --minutes 0: only evaluate the checkpoint.
  bool trains() const { return minutes != 0.0; }
  bool usesCheckpoint() const { return resume || !trains(); }
  // Seconds between validations.
  double validationSeconds() const;
};

// Prepares the folder, and puts the checkpoint's position into the model or, where a run starts
// anew, moves an earlier run out of its way. Throws Error where there is no checkpoint to go on
// from, or --seed is another one.
axloom::runtime::TrainingPosition begin(axloom::runtime::Model &model, RunFolder &folder,
                                        const TrainingFlags &flags);

// Limits, files and validation of a run.
axloom::runtime::TrainOptions
trainOptions(const TrainingFlags &flags, const RunFolder &folder, uint32_t seed,
             std::function<axloom::runtime::Validation(axloom::runtime::Model &)> validate);

// Trains, says how it went, and draws the loss curve with this title. False if a signal asked the
// program to end.
bool trainAndReport(axloom::runtime::Model &model, axloom::runtime::BatchSource &batches,
                    const axloom::runtime::TrainingPosition &position,
                    const axloom::runtime::TrainOptions &options, const RunFolder &folder,
                    const std::string &title, axloom::runtime::Validation &validation);

} // namespace example
