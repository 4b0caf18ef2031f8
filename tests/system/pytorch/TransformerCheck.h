//===- TransformerCheck.h - The whole model against PyTorch -----*- C++ -*-===//

#pragma once

#include "tests/support/Executor.h"

namespace axloom::test {
/// How far apart both sides may be.
struct TransformerTolerances {
  double loss;      // absolute, in nats, after each of the ten steps
  double gradient;  // in units of the tensor's largest gradient
  double parameter; // absolute, after ten steps that moved each parameter by up to 0.5
};

/// Runs ten steps of train_step with the dump `name` (transformer or transformer_dropout) and
/// expects its losses, every gradient of the first step and all parameters after the last.
void expectPyTorch(Graphs &graphs, Executor &executor, const std::string &name, double dropout,
                   const TransformerTolerances &tolerances);
} // namespace axloom::test
