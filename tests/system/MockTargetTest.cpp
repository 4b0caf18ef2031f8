// The whole Transformer on a target that is not the host: train_step compiled for `mock`, ten steps
// against PyTorch.

#include "codegen/mock/MockDevice.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/ModelCheck.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;

TEST(MockTarget, TrainsTheTransformer) {
  codegen::mockDevice();
  Graphs graphs;
  codegen::CompilerOptions options;
  options.target = *codegen::Target::named("mock");
  CompiledExecutor mock(options);
  int64_t before = codegen::mockLaunches();
  expectPyTorch(graphs, mock, dumpedTransformer("transformer", 0), ModelTolerances::inFloat());
  EXPECT_GT(codegen::mockLaunches() - before, 1000) << graphs.takeErrors();
}
