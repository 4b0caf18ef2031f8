//===- Schedule.h - learning rates as graph code ---------------------------------------===//
//
// Tests: tests/frontend/TrainTest.cpp, tests/system/ScheduleTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

#include <cmath>
#include <numbers>

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

namespace detail {
/// How far a training is whose steps are known: how much of the warm-up is done with this step, and
/// how much of the steps after it is left. Both are more than 1 beyond their own part.
struct Shares {
  Tensor<> warm, left;
};
inline Shares shares(const IntTensor<> &stepsDone, const IntTensor<> &steps, double peak,
                     double warmupSteps, const Where &where) {
  graph::requireAtLeast(warmupSteps, 1, "the warm-up", where);
  graph::requireAtLeast(peak, 0, "the peak of the rate", where);
  Tensor<> done = cast<float>(stepsDone), all = cast<float>(steps);
  Tensor<> warm = (done + 1) / warmupSteps;
  Tensor<> left = maximum(all - done, 0) / maximum(all - warmupSteps, 1);
  return {warm, left};
}
} // namespace detail

/// Rises linearly to `peak` over `warmupSteps` steps, then falls linearly, to zero after the last
/// of `steps` steps. With fewer steps than the warm-up has it only rises.
inline Tensor<> linearDecay(const IntTensor<> &stepsDone, const IntTensor<> &steps, double peak,
                            double warmupSteps, Where where = Where::current()) {
  graph::CallSite site(where);
  auto [warm, left] = detail::shares(stepsDone, steps, peak, warmupSteps, where);
  return peak * minimum(warm, left);
}

/// Rises in the same way, then falls along half a cosine, to `floor` after the last of `steps`
/// steps, and stays there (Loshchilov & Hutter 2017, equation 5, without restarts).
inline Tensor<> cosineDecay(const IntTensor<> &stepsDone, const IntTensor<> &steps, double peak,
                            double warmupSteps, double floor = 0, Where where = Where::current()) {
  graph::CallSite site(where);
  auto [warm, left] = detail::shares(stepsDone, steps, peak, warmupSteps, where);
  graph::requireWithin(floor, 0, peak, "the floor of the rate", where);
  Tensor<> angle = std::numbers::pi * minimum(left, 1);
  Tensor<> falling = floor + (peak - floor) / 2 * (1 - cos(angle));
  return minimum(peak * warm, falling);
}

} // namespace axloom::train
