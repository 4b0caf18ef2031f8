//===- Clip.h - gradients no larger than they should be ----------------------------------===//
//
// Test: tests/frontend/TrainTest.cpp, tests/system/classify/
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::train {

/// sqrt(sum of all squares) over all of the tensors together.
Tensor<> globalNorm(const std::vector<AnyTensor> &tensors, Where where = Where::current());

/// The gradients times min(1, norm / (globalNorm(gradients) + 1e-6)) (Pascanu et al. 2013,
/// algorithm 1; the 1e-6, which PyTorch has too, is for gradients that are all zero).
std::vector<AnyTensor> clipByGlobalNorm(const std::vector<AnyTensor> &gradients, double norm,
                                        Where where = Where::current());

} // namespace axloom::train
