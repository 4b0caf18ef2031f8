//===- Accumulator.h - gradients of several calls, for one step ---------------------------===//
//
// Tests: tests/frontend/AccumulatorTest.cpp, tests/system/AccumulatorTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::train {

/// Adds up gradients, so that a step has a batch that is `calls` times as large as a call has
/// memory for:
///   auto gradients = accumulator.add(gradient(loss, parameters));
///   when(accumulator.isDue(), [&] { adam.apply(gradients, rate); });
/// Adam's steps are fewer than the calls then: a schedule that knows how many calls there are in
/// all, as the trainer's argument `steps` says, goes by callsDone(). The sums and the number of
/// calls are states of the program: `<scope>.parameters.<parameter>` and `<scope>.calls`.
class Accumulator {
public:
  Accumulator(const Scope &scope, std::vector<AnyVariable> parameters, int calls,
              Where where = Where::current());

  /// How many calls there were before this one. Randomness counts them: with the number of steps,
  /// all calls of a step would draw the same numbers.
  IntTensor<> callsDone() const { return done; }

  /// Whether this call is the last one of a step.
  Mask<> isDue(Where where = Where::current()) const;

  /// Takes in the gradients of this call, in the order of the parameters, and gives the means over
  /// the calls of the step, which are whole where it is due. Of losses that are means these are the
  /// gradients of their mean.
  std::vector<AnyTensor> add(const std::vector<AnyTensor> &gradients,
                             Where where = Where::current()) const;

private:
  std::vector<AnyVariable> parameters, sums;
  Variable<Axes<>, int> done;
  int calls;
};

} // namespace axloom::train
