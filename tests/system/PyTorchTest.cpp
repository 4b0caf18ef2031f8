// The paper's Transformer against PyTorch in double precision: losses, gradients, ten steps of
// Adam.

#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/TransformerCheck.h"

#include <gtest/gtest.h>

using namespace axloom::test;

TEST(PyTorchTest, InterpretedTransformer) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, "transformer", 0, TransformerTolerances::inDouble());
}

TEST(PyTorchTest, InterpretedTransformerWithDropout) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, "transformer_dropout", 0.1, TransformerTolerances::inDouble());
}

TEST(PyTorchTest, CompiledTransformer) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, "transformer", 0, TransformerTolerances::inFloat());
}

TEST(PyTorchTest, CompiledTransformerWithDropout) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, "transformer_dropout", 0.1, TransformerTolerances::inFloat());
}
