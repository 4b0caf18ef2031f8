// The training loop: calls a model's step function on batch after batch until a limit is reached,
// shows where it stands, validates, saves checkpoints, and stops cleanly.
//
// Each step calls options.function with those tensors of the batch that it declares as arguments,
// and, if it declares them, `seed`, `step` (from 1) and `steps` (options.steps), i32 without axes.
// Its result options.loss (f32 without axes) is the mean loss per token; other results (numbers
// without axes) stand beside it in the history. Tokens/s counts target tokens in the time spent on
// steps.
#pragma once

#include "runtime/checkpoint/Checkpoint.h"

#include <functional>
#include <string>

namespace axloom::runtime {

struct Validation {
  double loss = 0;                                     // per token
  std::vector<std::pair<std::string, double>> metrics; // shown and logged beside it
};

struct TrainOptions {
  std::string function = "train_step";
  std::string loss = "loss";

  // Limits; 0: none. Time counts from the start of this call.
  double seconds = 0;
  int64_t steps = 0; // in all, those before resuming included

  uint32_t seed = 1; // handed to the step as `seed`

  // Checkpoints; empty path: none.
  std::string checkpoint;     // written now and then, and at the end
  std::string bestCheckpoint; // written when validation improves; that of an earlier training goes
                              // away with the first `checkpoint` of a new one
  double checkpointSeconds = 60;
  int64_t checkpointSteps = 0; // and after this many steps; 0: by time alone

  FileLayer *files = &FileLayer::system(); // what checkpoints are written with

  // Validation: after this much training, and at the end. Empty function: none.
  std::function<Validation(Model &)> validate;
  double validationSeconds = 0;
  int64_t validationSteps = 0;

  // A log of the losses, runtime/train/History.h. Empty path: none.
  std::string history;
  int64_t historySteps = 10; // between lines

  // Progress goes to this file descriptor: one line that changes on a terminal, plain lines now and
  // then elsewhere. -1: nowhere.
  int progress = 2;
  double progressSeconds = 10; // between plain lines

  // Steps between copies of the variables from which a non-finite loss is traced to the first
  // tensor that went wrong (at most this many steps run again). 0: name the step only.
  int64_t traceSteps = 64;
};

enum class StopReason { Steps, Time, Signal };

struct TrainResult {
  StopReason reason = StopReason::Steps;
  TrainingPosition position;
  Validation validation; // the last one
  double tokensPerSecond = 0;
};

// Trains from `position` (a fresh one, or one that loadCheckpoint gave). If the batches are not the
// ones that led there (other data, batch size or order), says so and begins the epoch anew; until a
// step has done so, checkpoints keep the position. SIGINT, SIGTERM and SIGHUP end the step in
// progress, save and return; one that comes more than a second later ends the program at once,
// unless it is SIGHUP (runtime/train/Signals.h). SIGTSTP (Ctrl-Z) suspends the program after the
// step, and time stands still until SIGCONT. A loss that is not finite throws AXL_ERROR_NOT_FINITE
// with the step, the first tensor that was not finite and its source line; checkpoints stay as they
// were before. Where the last checkpoint or the last best one cannot be written, the model is
// validated before AXL_ERROR_FILE says so.
TrainResult train(Model &model, BatchSource &batches, TrainingPosition position,
                  const TrainOptions &options);

} // namespace axloom::runtime
