//===- Schedule.h - learning rates as graph code ---------------------------------------===//
//
// Test: tests/frontend/TrainTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::train {

/// factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5), for step 1, 2, ... (Vaswani et al.
/// 2017, equation 3).
inline Tensor<> warmup(const IntTensor<> &stepsDone, double model, double warmupSteps,
                       double factor = 1, Where where = Where::current()) {
  graph::CallSite site(where);
  graph::requireAtLeast(warmupSteps, 1, "the warm-up", where);
  graph::requireAtLeast(model, 1, "the model's width", where);
  graph::requireAtLeast(factor, 0, "the rate's factor", where);
  Tensor<> step = cast<float>(stepsDone + 1);
  return factor / std::sqrt(model) * minimum(rsqrt(step), step * std::pow(warmupSteps, -1.5));
}

/// Rises linearly to `peak` over `warmupSteps` steps, then falls linearly, to zero after the last
/// of `steps` steps. With fewer steps than the warm-up has it only rises.
inline Tensor<> linearDecay(const IntTensor<> &stepsDone, const IntTensor<> &steps, double peak,
                            double warmupSteps, Where where = Where::current()) {
  graph::CallSite site(where);
  graph::requireAtLeast(warmupSteps, 1, "the warm-up", where);
  graph::requireAtLeast(peak, 0, "the peak of the rate", where);
  Tensor<> done = cast<float>(stepsDone), all = cast<float>(steps);
  Tensor<> rising = (done + 1) / warmupSteps;
  Tensor<> falling = maximum(all - done, 0) / maximum(all - warmupSteps, 1);
  return peak * minimum(rising, falling);
}

} // namespace axloom::train
