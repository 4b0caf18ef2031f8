// The paper's Transformer against PyTorch in double precision: losses, gradients, ten steps of
// Adam.

#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/ModelCheck.h"

#include <gtest/gtest.h>

using namespace axloom::test;

TEST(PyTorchTest, InterpretedTransformer) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, dumpedTransformer("transformer", 0),
                ModelTolerances::inDouble());
}

TEST(PyTorchTest, InterpretedTransformerWithDropout) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  expectPyTorch(graphs, interpreter, dumpedTransformer("transformer_dropout", 0.1),
                ModelTolerances::inDouble());
}

TEST(PyTorchTest, CompiledTransformer) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, dumpedTransformer("transformer", 0), ModelTolerances::inFloat());
}

TEST(PyTorchTest, CompiledTransformerWithDropout) {
  Graphs graphs;
  CompiledExecutor compiled;
  expectPyTorch(graphs, compiled, dumpedTransformer("transformer_dropout", 0.1),
                ModelTolerances::inFloat());
}
