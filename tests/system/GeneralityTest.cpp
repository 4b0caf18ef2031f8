// Models that no example has (tests/install/generality): compiled gradients are the interpreter's.
#include "tests/install/generality/models.h"

#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {

constexpr int ids = 32, classes = 2; // no more than each model has

/// Random arguments and variables of `descend`, for sizes that are no multiples of anything.
Inputs inputsOf(ModuleOp module) {
  Inputs inputs{{{{"B", 5}, {"S", 37}}, {}}, {}, {}};
  Random random(7);
  auto function = functionOf(module, "descend");
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto name = function.getArgAttrOfType<StringAttr>(index, "axloom.name");
    Fill fill = name == "text"    ? integers(0, ids)
                : name == "class" ? integers(0, classes)
                                  : uniform(-1, 1);
    inputs.arguments.push_back(
        filled(llvm::cast<NamedTensorType>(type), fill, inputs.sizes, random));
  }
  for (auto variable : module.getOps<VariableOp>()) {
    auto type = llvm::cast<NamedTensorType>(variable.getType());
    Fill fill = type.getElementType().isInteger(32) ? integers(0, 1) : uniform(-0.5, 0.5);
    inputs.variables[variable.getSymName().str()] = filled(type, fill, inputs.sizes, random);
  }
  return inputs;
}

void expectInterpreted(void (*build)(Program &, Options &)) {
  Program program;
  Options options;
  build(program, options);
  Graphs graphs;
  OwningOpRef<ModuleOp> module = graphs.parse(program.print());
  ASSERT_TRUE(module) << graphs.takeErrors();
  CompiledExecutor compiled;
  EXPECT_EQ(disagreement(graphs, compiled, *module, "descend", inputsOf(*module), Tolerance::f32()),
            "")
      << graphs.takeErrors();
}

struct Batch : axloom::Axis<"batch"> {};
struct Part : axloom::Axis<"part"> {};

/// More tensors, parts and random numbers than one kernel has room for.
void many(Program &program, Options &) {
  Size B = program.size("B", 8);
  program.function("descend", [&](Function &f) {
    auto sum = f.argument<float, Batch>("x0", B);
    auto parts = broadcast<Part>(sum, 1);
    for (int number = 1; number < 70; ++number) {
      auto x = f.argument<float, Batch>("x" + std::to_string(number), B);
      sum += x;
      parts = concat<Part>(parts, broadcast<Part>(x, 1));
    }
    f.result<Batch, Part>("parts", tanh(parts));
    auto samples = sum;
    for (int sample = 0; sample < 40; ++sample)
      samples += dropout(sum, 0.5, Randomness(constant(5), constant(6)));
    f.result<Batch>("samples", samples);
    auto weighted = tanh(sum);
    for (int number = 0; number < 24; ++number) {
      auto weight = f.argument<float>("weight" + std::to_string(number));
      weighted += weight * f.argument<float, Batch>("weighted" + std::to_string(number), B);
    }
    for (int number = 0; number < 20; ++number)
      weighted += f.argument<float, Batch>("added" + std::to_string(number), B);
    f.result<Batch>("weighted", weighted);
    auto visible = sum < 100;
    auto noise = random(sum, Randomness(constant(7), constant(8)));
    for (int number = 0; number < 32; ++number) {
      auto limit = f.argument<float, Batch>("limit" + std::to_string(number), B);
      visible = visible && f.argument<float, Batch>("seen" + std::to_string(number), B) < limit;
      noise += random(sum, Randomness(constant(7), constant(8)));
    }
    f.result<Batch>("visible", where(visible, sum * noise, sum));
  });
}

TEST(Generality, MixerDescendsAsInterpreted) { expectInterpreted(generality::mixer); }
TEST(Generality, LatentsDescendAsInterpreted) { expectInterpreted(generality::latents); }
TEST(Generality, GroupedHeadsDescendAsInterpreted) { expectInterpreted(generality::grouped); }
TEST(Generality, ManyTensorsGoToSeveralKernels) { expectInterpreted(many); }

} // namespace
