// The paper's Transformer against PyTorch in double precision: losses, gradients, ten steps of
// Adam. Both sides are in double, but the dumps and the graph's constants (0.98, 1 / sqrt(8), ...)
// hold f32: 6e-8 of a value. Adam divides gradients by their own size, which lifts rounding of
// small ones into the parameters.

#include "tests/system/pytorch/TransformerCheck.h"

#include <gtest/gtest.h>

using namespace axloom::test;

static const TransformerTolerances inDouble = {.loss = 3e-5, .gradient = 1e-6, .parameter = 5e-5};

TEST(PyTorchTest, InterpretedTransformer) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, "transformer", 0, inDouble);
}

TEST(PyTorchTest, InterpretedTransformerWithDropout) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, "transformer_dropout", 0.1, inDouble);
}
