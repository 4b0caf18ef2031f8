// Compiled functions agree with the interpreter, and disagree where they should: a small network
// with its gradient and update, at several sizes of one compile.

#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"

#include <gmock/gmock.h>

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

/// What a function with the variables a, b and c, and an argument x, does with them.
static std::string disagreementOf(llvm::StringRef body) {
  Graphs graphs;
  std::string text;
  for (const char *name : {"a", "b", "c"})
    text += std::string("axloom.variable \"state\" @") + name +
            " : !axloom.tensor<in: 8, f32> order [\"in\"] init {kind = \"zeros\"}\n";
  text += "func.func @step(%x: !axloom.tensor<in: 8, f32> {axloom.name = \"x\"}) {\n" + body.str() +
          "\nreturn\n}";
  auto module = graphs.parse(text);
  if (!module)
    return graphs.takeErrors();
  ir::reference::Inputs inputs;
  Random random(3);
  auto draw = [&] {
    return filled(graphs.type("in: 8, f32"), uniform(-1, 1), inputs.sizes, random);
  };
  inputs.arguments.push_back(draw());
  for (const char *name : {"a", "b", "c"})
    inputs.variables[name] = draw();
  CompiledExecutor compiled;
  return disagreement(graphs, compiled, *module, "step", inputs, Tolerance::f32());
}

TEST(CompiledExecutor, VariablesTakeOldValuesOfOthers) {
  EXPECT_EQ(disagreementOf(R"(
  %a = axloom.read @a : !axloom.tensor<in: 8, f32>
  %b = axloom.read @b : !axloom.tensor<in: 8, f32>
  %new = axloom.add %a, %x : !axloom.tensor<in: 8, f32>, !axloom.tensor<in: 8, f32> -> !axloom.tensor<in: 8, f32>
  axloom.write @a, %new : !axloom.tensor<in: 8, f32>
  axloom.write @b, %a : !axloom.tensor<in: 8, f32>
  axloom.write @c, %b : !axloom.tensor<in: 8, f32>)"),
            "");
  EXPECT_EQ(disagreementOf(R"(
  %a = axloom.read @a : !axloom.tensor<in: 8, f32>
  axloom.write @a, %x : !axloom.tensor<in: 8, f32>
  axloom.write @c, %a : !axloom.tensor<in: 8, f32>)"),
            "");
}

// New values lie where the old ones do only if nobody reads those at other places meanwhile.
TEST(CompiledExecutor, VariablesTakeWhatIsMovedOfTheirOldValues) {
  EXPECT_EQ(disagreementOf(R"(
  %a = axloom.read @a : !axloom.tensor<in: 8, f32>
  %half = axloom.constant 0.5 : f32 : !axloom.tensor<f32>
  %scaled = axloom.mul %a, %half : <in: 8, f32>, <f32> -> <in: 8, f32>
  %new = axloom.shift %scaled "in" by 1 with 0.0 : <in: 8, f32> -> <in: 8, f32>
  axloom.write @a, %new : !axloom.tensor<in: 8, f32>)"),
            "");
}

// Also where the old value of what is written is read meanwhile, and around a ring.
TEST(CompiledExecutor, VariablesExchangeTheirValues) {
  EXPECT_EQ(disagreementOf(R"(
  %a = axloom.read @a : !axloom.tensor<in: 8, f32>
  %b = axloom.read @b : !axloom.tensor<in: 8, f32>
  axloom.write @a, %b : !axloom.tensor<in: 8, f32>
  axloom.write @b, %a : !axloom.tensor<in: 8, f32>)"),
            "");
  EXPECT_EQ(disagreementOf(R"(
  %a = axloom.read @a : !axloom.tensor<in: 8, f32>
  %b = axloom.read @b : !axloom.tensor<in: 8, f32>
  %c = axloom.read @c : !axloom.tensor<in: 8, f32>
  %shifted = axloom.shift %c "in" by 1 with 0.0 : <in: 8, f32> -> <in: 8, f32>
  %new = axloom.add %b, %shifted : <in: 8, f32>, <in: 8, f32> -> <in: 8, f32>
  axloom.write @a, %new : !axloom.tensor<in: 8, f32>
  axloom.write @c, %a : !axloom.tensor<in: 8, f32>
  axloom.write @b, %c : !axloom.tensor<in: 8, f32>)"),
            "");
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
