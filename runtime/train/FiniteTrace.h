// Finds out where the first number that was not finite came from: training is deterministic, so the
// steps since the last copy of the variables can run again, with each kernel's results checked.
#pragma once

#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/train/StepCall.h"

namespace axloom::runtime {

class FiniteTrace {
public:
  FiniteTrace(Model &model, BatchSource &batches, StepCall &step)
      : model(model), batches(batches), step(step) {}

  // Copies the variables.
  void remember(const TrainingPosition &position);

  // Runs again from the last copy up to `lastStep`. Returns "step N: ..." with the first tensor
  // that is not finite and its source line; "" if nothing is found or nothing was remembered.
  std::string find(int64_t lastStep);

private:
  Model &model;
  BatchSource &batches;
  StepCall &step;
  TrainingPosition start;
  std::vector<std::pair<int32_t, Tensor>> variables;
};

} // namespace axloom::runtime
