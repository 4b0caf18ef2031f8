#include "runtime/train/Trainer.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/core/Error.h"
#include "runtime/core/FiniteCheck.h"
#include "runtime/train/FiniteTrace.h"
#include "runtime/train/History.h"
#include "runtime/train/Progress.h"
#include "runtime/train/SeenBatch.h"
#include "runtime/train/Signals.h"
#include "runtime/train/StepCall.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

// An average that forgets: each new value counts a fiftieth.
class SmoothedLoss {
public:
  void add(double loss) {
    weight = decay * weight + (1 - decay);
    sum = decay * sum + (1 - decay) * loss;
  }
  double value() const { return weight > 0 ? sum / weight : 0; }

private:
  static constexpr double decay = 0.98;
  double weight = 0, sum = 0;
};

// Says when something is due that happens after so many seconds or steps, whichever comes first.
class Cadence {
public:
  Cadence(double seconds, int64_t steps) : seconds(seconds), steps(steps) {}

  bool due(double time, int64_t step) {
    bool isDue = (seconds > 0 && time - lastTime >= seconds) ||
                 (steps > 0 && step % steps == 0 && step != lastStep);
    if (isDue)
      restart(time, step);
    return isDue;
  }
  void restart(double time, int64_t step) {
    lastTime = time;
    lastStep = step;
  }

private:
  double seconds;
  int64_t steps;
  double lastTime = 0;
  int64_t lastStep = -1;
};

class Training {
public:
  Training(Model &model, BatchSource &batches, const TrainingPosition &from,
           const TrainOptions &options)
      : model(model), batches(batches), options(options), from(from), position(from),
        step(model, options.function, options.loss, options.steps), trace(model, batches, step),
        progress(options.progress, options.progressSeconds),
        checkpointing(options.checkpointSeconds, options.checkpointSteps),
        validating(options.validationSeconds, options.validationSteps) {
    position.validation.reset(); // of the checkpoint that it came from
    if (position.step == 0)
      position.seed = options.seed;
    seekBatches();
    probeFolder(options.checkpoint);
    probeFolder(options.bestCheckpoint);
    drawMissingValues(model.internals()); // which takes time, but is no part of the first step
    best = bestBefore();
    // Last: it begins a file anew, which a training that does not begin should leave alone.
    history.emplace(options.history, from.step);
  }

  TrainResult run() {
    while (!limitReached()) {
      advance();
      StopSignals::standStillIfAsked();
    }
    std::optional<Error> unsaved = saveLast(); // the model is there all the same
    if (!StopSignals::received())
      validate();
    if (StopSignals::received())
      result.reason = StopReason::Signal;
    for (const std::optional<Error> &failure : {unsaved, unsavedBest})
      if (failure)
        throw *failure;
    result.position = whereItStands();
    result.tokensPerSecond = tokensPerSecond();
    return result;
  }

private:
  // Where the batches are others than before, a place among them means nothing.
  void seekBatches() {
    if (!goesOn(batches, position)) {
      progress.say(concat("the batches are not those of the checkpoint (other data, size or order):"
                          " epoch ",
                          position.data.epoch + 1, " begins anew"));
      position.data.batch = 0;
    }
    batches.seek(position.data);
  }

  // What a validation has to be better than: the best checkpoint, or what the history tells if
  // there are to be none.
  std::optional<double> bestBefore() const {
    bool keepsBest = !options.bestCheckpoint.empty();
    const std::string &path = keepsBest ? options.bestCheckpoint : options.history;
    if (from.step == 0 || ::access(path.c_str(), F_OK) != 0)
      return std::nullopt;
    if (keepsBest)
      try {
        return readPosition(path).validation;
      } catch (const Error &error) {
        throw Error(error.code(), concat(error.what(), "; remove that file to go on without it"));
      }
    auto [steps, losses] = readHistory(path, "validation_loss");
    std::optional<double> least;
    for (size_t i = 0; i < steps.size() && steps[i] <= double(from.step); ++i)
      least = std::min(least.value_or(losses[i]), losses[i]);
    return least;
  }

  // The position with what is known of the last batch, whose checksum no step need wait for.
  TrainingPosition whereItStands() const {
    TrainingPosition stands = position;
    if (lastBatch)
      stands.last = seen(*lastBatch, batch);
    else
      stands.data = from.data; // no step has made the epoch begin anew
    return stands;
  }

  // Folders that cannot be written to should be known before the work, not after.
  static void probeFolder(const std::string &path) {
    if (!path.empty())
      AtomicFile probe(path);
  }

  // Without those in which the program was suspended.
  double seconds() const {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return passed.count() - signals.stoodStillSeconds();
  }

  double tokensPerSecond() const {
    return stepSeconds > 0 ? double(position.tokens - from.tokens) / stepSeconds : 0;
  }

  bool limitReached() {
    if (StopSignals::received())
      result.reason = StopReason::Signal;
    else if (options.steps > 0 && position.step >= options.steps)
      result.reason = StopReason::Steps;
    else if (options.seconds > 0 && seconds() >= options.seconds)
      result.reason = StopReason::Time;
    else
      return false;
    return true;
  }

  void advance() {
    if (options.traceSteps > 0 && (position.step - from.step) % options.traceSteps == 0)
      trace.remember(position);
    double start = seconds();
    batches.next(batch);
    step.run(batch, position.seed, position.step + 1);
    stepSeconds += seconds() - start;
    if (!std::isfinite(step.loss()))
      failNotFinite(position.step + 1,
                    concat("the loss of step ", position.step + 1, " is ", step.loss()));
    ++position.step;
    lastBatch = position.data;
    position.data = batches.position();
    position.tokens += batch.tokens;
    smoothed.add(step.loss());
    report();
    // A validation may take longer than whoever ends the program waits: it comes after a
    // checkpoint.
    bool validates =
        options.validate && validating.due(seconds(), position.step) && !StopSignals::received();
    if (checkpointing.due(seconds(), position.step) || validates) {
      warnOf(saveLast());
      checkpointing.restart(seconds(), position.step); // or slow ones would follow one another
    }
    if (validates && !StopSignals::received()) {
      validate();
      validating.restart(seconds(), position.step);
    }
  }

  void report() {
    if (options.historySteps > 0 && position.step % options.historySteps == 0) {
      History::Fields fields{{"step", double(position.step)},
                             {"epoch", double(lastBatch->epoch)},
                             {"seconds", seconds()},
                             {"loss", step.loss()},
                             {"tokens_per_second", std::round(tokensPerSecond())}};
      std::ranges::move(step.others(), std::back_inserter(fields));
      record(fields);
    }
    ProgressState state;
    state.epoch = lastBatch->epoch;
    state.step = position.step;
    state.loss = smoothed.value();
    state.tokensPerSecond = tokensPerSecond();
    estimate(state);
    progress.show(state);
  }

  // The limit that will be reached first.
  void estimate(ProgressState &state) const {
    double time = seconds();
    if (options.seconds > 0) {
      state.fraction = time / options.seconds;
      state.secondsLeft = options.seconds - time;
    }
    if (options.steps > from.step) {
      double done = double(position.step - from.step) / double(options.steps - from.step);
      double left = done > 0 ? time / done - time : 0;
      if (state.fraction < done) {
        state.fraction = done;
        state.secondsLeft = left;
      }
    }
  }

  void validate() {
    if (!options.validate || validatedStep == position.step)
      return;
    validatedStep = position.step;
    result.validation = options.validate(model);
    const Validation &found = result.validation;
    bool isBest = std::isfinite(found.loss) && (!best || found.loss < *best);
    History::Fields fields{
        {"step", double(position.step)}, {"seconds", seconds()}, {"validation_loss", found.loss}};
    char text[64];
    std::snprintf(text, sizeof(text), "validation loss %.4f", found.loss);
    std::string line = "step " + formatCount(position.step) + "  " + text;
    for (const auto &[name, value] : found.metrics) {
      fields.emplace_back(name, value);
      std::snprintf(text, sizeof(text), "  %.2f", value);
      line += "  " + name + text;
    }
    record(fields);
    progress.say(line + (isBest ? "  (best so far)" : ""));
    if (!isBest)
      return;
    TrainingPosition marked = whereItStands();
    marked.validation = found.loss;
    unsavedBest = save(options.bestCheckpoint, marked);
    warnOf(unsavedBest);
    if (!unsavedBest)
      best = found.loss;
  }

  // The checkpoint to go on from. With it goes the best one of a training before this one, which a
  // run that goes on from here would take for its own.
  std::optional<Error> saveLast() {
    if (savedStep == position.step)
      return std::nullopt;
    if (std::optional<Error> unsaved = save(options.checkpoint, whereItStands()))
      return unsaved;
    savedStep = position.step;
    bool isFirst = from.step == 0 && !best;
    if (isFirst && options.validate && !options.checkpoint.empty() &&
        !options.bestCheckpoint.empty())
      removeBest();
    return std::nullopt;
  }

  void removeBest() {
    try {
      removeFile(options.bestCheckpoint, *options.files);
      unsavedBest.reset();
    } catch (const Error &error) {
      unsavedBest = error; // until it is written over
      progress.say(error.what());
    }
  }

  // Gives what kept the checkpoint from being written, if it is one of a path. One with numbers
  // that are not finite would be no good one.
  std::optional<Error> save(const std::string &path, const TrainingPosition &where) {
    if (path.empty())
      return std::nullopt;
    try {
      checkFiniteVariables(model.internals());
    } catch (const Error &error) {
      failNotFinite(position.step, error.what());
    }
    try {
      saveCheckpoint(model, where, path, *options.files);
    } catch (const Error &error) {
      if (error.code() != AXL_ERROR_FILE)
        throw;
      return error;
    }
    return std::nullopt;
  }

  // A disk that is full now may have room later: training goes on, the next one is tried in time.
  void warnOf(const std::optional<Error> &unsaved) {
    if (unsaved)
      progress.say(concat("no checkpoint at step ", position.step, ": ", unsaved->what()));
  }

  // The same goes for lines of the history; they come often, so that only the first one is missed
  // aloud.
  void record(const History::Fields &fields) {
    try {
      history->add(fields);
      missesLines = false;
    } catch (const Error &error) {
      if (!missesLines)
        progress.say(concat("no history from step ", position.step, " on: ", error.what()));
      missesLines = true;
    }
  }

  [[noreturn]] void failNotFinite(int64_t lastStep, const std::string &symptom) {
    std::string origin = trace.find(lastStep);
    std::string checkpoint;
    if (!options.checkpoint.empty() && ::access(options.checkpoint.c_str(), F_OK) == 0)
      checkpoint = concat("; checkpoint '", options.checkpoint, "' is as it was last saved");
    throw Error(AXL_ERROR_NOT_FINITE,
                concat("training stopped: ", symptom,
                       origin.empty() ? "" : concat("; it began in ", origin), checkpoint));
  }

  StopSignals signals;
  Model &model;
  BatchSource &batches;
  const TrainOptions &options;
  const TrainingPosition from;
  TrainingPosition position;
  StepCall step;
  FiniteTrace trace;
  std::optional<History> history;
  Progress progress;
  Cadence checkpointing, validating;
  SmoothedLoss smoothed;
  Batch batch;
  std::optional<DataPosition> lastBatch; // the place of `batch`, once a step has used it
  TrainResult result;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  double stepSeconds = 0;
  int64_t savedStep = -1, validatedStep = -1;
  std::optional<double> best;       // loss so far
  std::optional<Error> unsavedBest; // why its checkpoint could not be written
  bool missesLines = false;         // of the history, since it could not be written
};

} // namespace

TrainResult axloom::runtime::train(Model &model, BatchSource &batches, TrainingPosition position,
                                   const TrainOptions &options) {
  return Training(model, batches, position, options).run();
}
