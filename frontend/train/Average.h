//===- Average.h - parameters averaged over the steps of training -------------------------===//
//
// Tests: tests/frontend/AverageTest.cpp, tests/system/AverageTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::train {

/// 1 - decay^t, the weight that t values have together in a moving average that started at zero.
Tensor<> gathered(double decay, const Tensor<> &t);

/// The exponential moving average of parameters, without the bias of its start (Kingma & Ba 2015,
/// section 7.2): after the first update it is the parameters. The averages and the number of
/// updates are states of the program: `<scope>.parameters.<parameter>` and `<scope>.updates`.
class Average {
public:
  /// decay: what an update leaves to all values before it; the last 1 / (1 - decay) of them count
  /// most.
  Average(const Scope &scope, std::vector<AnyVariable> parameters, double decay = 0.999,
          Where where = Where::current());

  /// Takes in the values of the parameters, in their order: after a step, those that Adam gives.
  void update(const std::vector<AnyTensor> &values, Where where = Where::current()) const;

  /// Makes the averages the parameters' values and keeps these in their place, for a function that
  /// is called before the averages are used, and again before training goes on. Before the first
  /// update, averages are zeros.
  void exchange(Where where = Where::current()) const;

private:
  std::vector<AnyVariable> parameters, averages;
  Variable<Axes<>, int> updates;
  double decay;
};

} // namespace axloom::train
