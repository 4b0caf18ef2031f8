// What must hold of attention, blocks and positions whatever their parameters are.
#include "frontend/Axloom.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};

constexpr int64_t positions = 19;
constexpr int model = 16;

/// A function y = f(x), both [model, position], compiled.
class Compiled {
public:
  template <class Body> explicit Compiled(const Body &body) {
    Program program;
    Size S = program.size("S", 64);
    auto layer = body(program);
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, nn::Model, Position>("x", model, S);
      f.result<nn::Model, Position>("y", layer(x));
    });
    module = graphs.parse(program.print());
    Random random(5);
    for (auto variable : module->getOps<ir::VariableOp>())
      variables[variable.getSymName().str()] = filled(
          llvm::cast<ir::NamedTensorType>(variable.getType()), uniform(-1, 1), sizes, random);
  }

  Array operator()(const Array &x) {
    auto outputs = executor.run(*module, "f", {sizes, {x}, variables});
    if (failed(outputs))
      throw std::runtime_error(graphs.takeErrors());
    return outputs->results[0];
  }

  Array input() {
    Random random(6);
    auto type = functionOf(*module, "f").getArgumentTypes()[0];
    return filled(llvm::cast<ir::NamedTensorType>(type), uniform(-1, 1), sizes, random);
  }

private:
  const Sizes sizes{{{"S", positions}}, {}};
  Graphs graphs;
  CompiledExecutor executor;
  OwningOpRef<ModuleOp> module;
  Variables variables;
};

/// x[:, order], of [model, position].
Array permuted(const Array &x, const std::vector<int64_t> &order) {
  Array y = x;
  for (int64_t channel = 0; channel < model; ++channel)
    for (int64_t at = 0; at < positions; ++at)
      y.values[channel * positions + at] = x.values[channel * positions + order[at]];
  return y;
}

// Sums over keys go in another order, so the last bits differ.
void expectEquivariant(Compiled &layer) {
  std::vector<int64_t> order(positions);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Array x = layer.input();
  EXPECT_NE(layer(permuted(x, order)).values, layer(x).values);
  EXPECT_EQ(difference(permuted(layer(x), order), layer(permuted(x, order)), Tolerance::f32()), "");
}

TEST(Properties, SelfAttentionWithoutParametersPermutesWithItsInputs) {
  Compiled layer([](Program &) {
    return [](const auto &x) { return nn::selfAttention<Position, Key>(x, constant(true)); };
  });
  expectEquivariant(layer);
}

TEST(Properties, EncoderBlocksPermuteWithTheirInputs) {
  using enum nn::NormPlacement;
  for (nn::NormPlacement norm : {After, Before, OfSublayer, OfSumAndBack}) {
    Compiled layer([&](Program &program) {
      nn::LayerOptions options{
          .model = model, .heads = 2, .depth = 8, .valueDepth = 8, .hidden = 32, .norm = norm};
      return [block = nn::EncoderLayer<>(program.scope("block"), options)](const auto &x) {
        return block.template apply<Position, Key>(x, constant(true), {});
      };
    });
    expectEquivariant(layer);
  }
}

/// PE [model, position] at 0, 1, ..., `length` - 1.
Array encodings(int64_t length) {
  Program program;
  Size S = program.size("S", 100000);
  program.function("f", [&](Function &f) {
    auto unused = f.argument<float, Position>("x", S);
    f.result<nn::Model, Position>("y",
                                  nn::sinusoids(iota<Position>(size<Position>(unused)), model));
  });
  Graphs graphs;
  OwningOpRef<ModuleOp> module = graphs.parse(program.print());
  Inputs inputs{{{{"S", length}}, {}}, {}, {}};
  auto type = llvm::cast<ir::NamedTensorType>(functionOf(*module, "f").getArgumentTypes()[0]);
  inputs.arguments.push_back(Array(type.getAxes(), inputs.sizes));
  auto outputs = CompiledExecutor().run(*module, "f", inputs);
  EXPECT_TRUE(succeeded(outputs)) << graphs.takeErrors();
  return outputs->results[0];
}

// (sin((p + k) w), cos((p + k) w)) is (sin(p w), cos(p w)) turned by k w: PE(p + k) is a linear
// function of PE(p) that depends on k alone (Vaswani et al. 2017, section 3.5). An angle of 20,000
// is known to 1e-3 in f32, so the identity is asked for where angles are below 4,000.
TEST(Properties, SinusoidsOfALaterPositionAreALinearFunction) {
  constexpr int64_t length = 4000;
  Array pe = encodings(length);
  auto at = [&](int64_t channel, int64_t position) {
    return pe.values[size_t(channel * length + position)];
  };
  for (int64_t k : {1, 7, 512})
    for (int64_t pair = 0; pair < model; pair += 2) {
      double w = std::pow(10000.0, -double(pair) / model);
      double c = std::cos(double(k) * w), s = std::sin(double(k) * w);
      for (int64_t p = 0; p + k < length; p += 37) {
        EXPECT_NEAR(at(pair, p + k), c * at(pair, p) + s * at(pair + 1, p), 5e-4) << p << " " << k;
        EXPECT_NEAR(at(pair + 1, p + k), c * at(pair + 1, p) - s * at(pair, p), 5e-4);
      }
    }
}

TEST(Properties, SinusoidsGoOnBeyondAnyLengthSeenBefore) {
  Array few = encodings(10), many = encodings(50000);
  for (int64_t channel = 0; channel < model; ++channel)
    for (int64_t p = 0; p < 10; ++p)
      EXPECT_EQ(few.values[size_t(channel * 10 + p)], many.values[size_t(channel * 50000 + p)]);
  for (double value : many.values)
    ASSERT_LE(std::abs(value), 1.0);
}
} // namespace
