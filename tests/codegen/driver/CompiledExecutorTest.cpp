// Compiled functions agree with the interpreter, and disagree where they should: a small network
// with its gradient and update, at several sizes of one compile.

#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;

// A step of gradient descent on the square of tanh(x w).
static const char *const text = R"(
axloom.size @B max 64
axloom.variable "state" @w : !axloom.tensor<in: 8, out: 4, f32> order ["out", "in"] init {kind = "zeros"}
func.func @step(%x: !axloom.tensor<batch: B, in: 8, f32> {axloom.name = "x", axloom.order = ["batch", "in"]})
    -> (!axloom.tensor<f32> {axloom.name = "loss"}, !axloom.tensor<batch: B, out: 4, f32> {axloom.name = "y", axloom.order = ["out", "batch"]}) {
  %w = axloom.read @w : !axloom.tensor<in: 8, out: 4, f32>
  %h = axloom.contract %x, %w over ["in"] : !axloom.tensor<batch: B, in: 8, f32>, !axloom.tensor<in: 8, out: 4, f32> -> !axloom.tensor<batch: B, out: 4, f32>
  %y = axloom.tanh %h : !axloom.tensor<batch: B, out: 4, f32> -> !axloom.tensor<batch: B, out: 4, f32>
  %square = axloom.mul %y, %y : !axloom.tensor<batch: B, out: 4, f32>, !axloom.tensor<batch: B, out: 4, f32> -> !axloom.tensor<batch: B, out: 4, f32>
  %loss = axloom.reduce "sum" %square over ["batch", "out"] : !axloom.tensor<batch: B, out: 4, f32> -> !axloom.tensor<f32>
  %g = axloom.gradient %loss wrt (%w) : !axloom.tensor<f32>, !axloom.tensor<in: 8, out: 4, f32> -> !axloom.tensor<in: 8, out: 4, f32>
  %rate = axloom.constant 0.125 : f32 : !axloom.tensor<f32>
  %change = axloom.mul %g, %rate : !axloom.tensor<in: 8, out: 4, f32>, !axloom.tensor<f32> -> !axloom.tensor<in: 8, out: 4, f32>
  %new = axloom.sub %w, %change : !axloom.tensor<in: 8, out: 4, f32>, !axloom.tensor<in: 8, out: 4, f32> -> !axloom.tensor<in: 8, out: 4, f32>
  axloom.write @w, %new : !axloom.tensor<in: 8, out: 4, f32>
  return %loss, %y : !axloom.tensor<f32>, !axloom.tensor<batch: B, out: 4, f32>
})";

static ir::reference::Inputs inputsOf(Graphs &graphs, int64_t batch, uint64_t seed) {
  ir::reference::Inputs inputs;
  inputs.sizes.symbols["B"] = batch;
  Random random(seed);
  inputs.arguments.push_back(
      filled(graphs.type("batch: B, in: 8, f32"), uniform(-1, 1), inputs.sizes, random));
  inputs.variables["w"] =
      filled(graphs.type("in: 8, out: 4, f32"), uniform(-1, 1), inputs.sizes, random);
  return inputs;
}

TEST(CompiledExecutor, AgreesWithTheInterpreterAtEverySize) {
  Graphs graphs;
  auto module = graphs.parse(text);
  ASSERT_TRUE(module) << graphs.takeErrors();
  CompiledExecutor compiled;
  for (int64_t batch : {1, 2, 17, 63})
    EXPECT_EQ(disagreement(graphs, compiled, *module, "step", inputsOf(graphs, batch, 7),
                           Tolerance::f32()),
              "")
        << "batch " << batch;
}

TEST(CompiledExecutor, LeavesTheModuleAsItIs) {
  Graphs graphs;
  auto module = graphs.parse(text);
  std::string before = print(*module);
  CompiledExecutor compiled;
  ASSERT_NE(compiled.compile(*module), nullptr) << graphs.takeErrors();
  EXPECT_EQ(print(*module), before);
}

TEST(CompiledExecutor, HandsOnWhatTheRuntimeRefuses) {
  Graphs graphs;
  auto module = graphs.parse(text);
  CompiledExecutor compiled;
  EXPECT_TRUE(failed(compiled.run(*module, "step", inputsOf(graphs, 65, 7))));
  std::string errors = graphs.takeErrors();
  EXPECT_NE(errors.find("65"), std::string::npos) << errors;
  EXPECT_NE(errors.find("64"), std::string::npos) << errors;
}
