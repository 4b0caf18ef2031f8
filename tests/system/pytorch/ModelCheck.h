//===- ModelCheck.h - A whole model against PyTorch -------------*- C++ -*-===//

#pragma once

#include "tests/support/Executor.h"

namespace axloom::test {
/// How far apart both sides may be.
///
/// Adam divides a gradient by its own size: where one is hardly larger than its rounding, the
/// parameter's step is anything up to the learning rate. So whatever the first step rounds, ten
/// steps lift into parameters and loss, and they get the same limits in double as in f32.
struct ModelTolerances {
  double gradient;         // in units of the tensor's largest gradient, or of a fiftieth of all
                           // tensors' largest, since keys' biases have no gradient but rounding
  double loss = 3e-5;      // absolute, in nats, after each of the ten steps; seen: 1.6e-5
  double parameter = 5e-5; // absolute, after steps that moved it by up to 0.5; seen: 2.4e-5

  /// Both sides compute in double, but the dumps and the graph's constants (0.98, 1 / sqrt(8), ...)
  /// hold f32, 6e-8 of a value. Seen: 8e-8.
  static ModelTolerances inDouble() { return {.gradient = 2e-7}; }
  /// f32 against double: sums of up to a hundred terms through four layers. Seen: 3.2e-6; of keys'
  /// weights and biases, which are what the rounding of slopes leaves where they cancel: 1.1e-5.
  /// That moves by a factor of 2 to 3 when anything in attention rounds differently.
  static ModelTolerances inFloat() { return {.gradient = 2e-5}; }
};

/// A model and the file that PyTorch's computation is in.
struct DumpedModel {
  std::string graph;
  std::string dump; // from tests/system
  // The axis of a tensor in the file that each size symbol is.
  std::map<std::string, std::pair<std::string, int>> sizes;
};

/// The model of transformer.py; `dump` is transformer or transformer_dropout.
DumpedModel dumpedTransformer(const std::string &dump, double dropout);

/// Runs ten steps of train_step and expects the losses of the dump, every gradient of the first
/// step and all parameters after the last.
void expectPyTorch(Graphs &graphs, Executor &executor, const DumpedModel &model,
                   const ModelTolerances &tolerances);

/// Runs `function` before the first step and expects each of its results to be the dump's tensor of
/// the same name.
void expectResults(Graphs &graphs, Executor &executor, const DumpedModel &model,
                   llvm::StringRef function, const Tolerance &tolerance);
} // namespace axloom::test
