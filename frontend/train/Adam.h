//===- Adam.h - the optimizer as graph code --------------------------------------------===//
//
// Test: tests/frontend/TrainTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

#include <functional>

namespace axloom::train {

/// Kingma & Ba 2015, algorithm 1. The moments and the number of steps done are states of the
/// program: `<scope>.first.<parameter>`, `<scope>.second.<parameter>` and `<scope>.step`.
class Adam {
public:
  struct Constants {
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    /// Decoupled from the gradient: AdamW (Loshchilov & Hutter 2019). A step takes rate *
    /// weightDecay of each parameter, as in PyTorch; the paper's algorithm 2 takes the schedule's
    /// multiplier in place of the rate.
    double weightDecay = 0;
    /// Whether it takes anything of the parameter with this name; empty: of every one.
    std::function<bool(const std::string &)> decays = {};
  };

  Adam(const Scope &scope, std::vector<AnyVariable> parameters, const Constants &constants,
       Where where = Where::current());

  /// How many steps were made before this call.
  IntTensor<> stepsDone() const { return step; }

  /// One step against the gradient of the loss: assigns all parameters and moments. Gives the new
  /// values of the parameters, in their order.
  std::vector<AnyTensor> minimize(const Tensor<> &loss, const Tensor<> &rate,
                                  Where where = Where::current()) const;
  /// The same with gradients that something was done to, in the order of the parameters.
  std::vector<AnyTensor> apply(const std::vector<AnyTensor> &gradients, const Tensor<> &rate,
                               Where where = Where::current()) const;

private:
  std::vector<AnyVariable> parameters, first, second;
  Variable<Axes<>, int> step;
  Constants constants;
};

/// A choice for Constants::decays: false of biases (`bias` or `<scope>.bias`) and of all parameters
/// of a norm (`<scope>.weight`, where the name of the scope ends with `norm`).
bool exceptBiasesAndNorms(const std::string &parameter);

} // namespace axloom::train
