// The paper's Transformer against PyTorch in double precision: losses, gradients, ten steps of
// Adam.

#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/TransformerCheck.h"

#include <gtest/gtest.h>

using namespace axloom::test;

// Both sides are in double, but the dumps and the graph's constants (0.98, 1 / sqrt(8), ...)
// hold f32: 6e-8 of a value. Adam divides gradients by their own size, which lifts rounding of
// small ones into the parameters.
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

// Compiled programs compute in f32, whose rounding Adam enlarges in the same way.
static const TransformerTolerances inFloat = {.loss = 1e-4, .gradient = 1e-5, .parameter = 1e-3};

TEST(PyTorchTest, CompiledTransformer) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, "transformer", 0, inFloat);
}

TEST(PyTorchTest, CompiledTransformerWithDropout) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, "transformer_dropout", 0.1, inFloat);
}
