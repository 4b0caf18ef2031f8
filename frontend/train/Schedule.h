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
  Tensor<> step = cast<float>(stepsDone + 1);
  return factor / std::sqrt(model) * minimum(rsqrt(step), step * std::pow(warmupSteps, -1.5));
}

} // namespace axloom::train
