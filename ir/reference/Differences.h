//===- Differences.h - Gradients against finite differences -----*- C++ -*-===//
//
// Compares what are said to be the gradients of a number that depends on some arrays with central
// differences of that number, element by element and along random directions. It knows nothing of
// graphs: the number is any function of the arrays. Tests: tests/ir/DifferencesTest.cpp,
// tests/ir/GradientTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/reference/Array.h"

#include <functional>

namespace axloom::ir::reference {
/// A number that depends on arrays.
using Loss = std::function<double(const std::vector<Array> &)>;

struct DifferenceOptions {
  double step = 1e-5;
  /// Errors up to this share of the largest gradient of the array, and up to `absolute`, are
  /// rounding.
  double relative = 1e-5;
  double absolute = 1e-8;
  /// How many elements of an array are moved one by one; all are, where a direction is off.
  int64_t elements = 16;
  uint64_t seed = 1;
};

/// How far the gradient of one array is from the differences, where that is worst.
struct Difference {
  double measured = 0;  // by differences
  double predicted = 0; // by the gradient
  double allowed = 0;
  std::string place; // "[batch 1, model 3]", or "along a random direction"

  double error() const;
  bool isAllowed() const;
};

/// One for each array of `point`, given the gradients there.
std::vector<Difference> differences(const Loss &loss, const std::vector<Array> &point,
                                    const std::vector<Array> &gradients,
                                    const DifferenceOptions &options);
} // namespace axloom::ir::reference
