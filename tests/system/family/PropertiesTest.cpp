// What must hold of attention, blocks and positions whatever their parameters are.
#include "frontend/Axloom.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"
#include "tests/system/support/Transformer.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;
using testing::HasSubstr;

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

/// A layer whose positions are what `place` makes of 0, 1, ... Queries share keys and values.
template <class Place> Compiled turned(bool decoder, const Place &place) {
  return Compiled([=](Program &program) {
    nn::LayerOptions options{
        .model = model, .heads = 4, .depth = 6, .valueDepth = 8, .hidden = 32, .dropout = 0};
    options.keyHeads = 2;
    options.rotaryBase = 50;
    nn::EncoderLayer<> encoder(program.scope("encoder"), options);
    nn::DecoderLayer<> block(program.scope("decoder"), options);
    return [=](const Tensor<nn::Model, Position> &x) {
      Size length = size<Position>(x);
      IntTensor<Position> position = place(iota<Position>(length));
      auto visible = nn::causal<Position, Key>(length);
      auto y = encoder.apply<Position, Key>(x, visible, {}, position);
      if (!decoder)
        return y;
      auto own = block.ownMemory(rename<Position, Key>(y), rename<Position, Key>(position));
      auto memory = block.crossAttention.project(rename<Position, Key>(x));
      return block.apply<Key, Key>(y, own, visible, memory, constant(true), {}, position);
    };
  });
}

// An angle is known to its size times 2^-24, and scores add up products of them.
TEST(Properties, LayersThatTurnQueriesAndKeysSeeDistancesAlone) {
  for (bool decoder : {false, true}) {
    Compiled here = turned(decoder, [](const auto &at) { return at; });
    Compiled later = turned(decoder, [](const auto &at) { return at + 30; });
    Compiled nowhere = turned(decoder, [](const auto &at) { return at * 0; });
    Array x = here.input(), y = here(x);
    EXPECT_EQ(difference(later(x), y, Tolerance{1e-4}), "") << decoder;
    EXPECT_NE(difference(nowhere(x), y, Tolerance{1e-2}), "") << decoder;
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

// An angle of p is known to p * 2^-24 in f32.
TEST(Properties, SinusoidsGoOnBeyondAnyLengthSeenBefore) {
  constexpr int64_t length = 50000;
  Array few = encodings(10), many = encodings(length);
  for (int64_t channel = 0; channel < model; ++channel) {
    double w = std::pow(10000.0, -double(channel - channel % 2) / model);
    for (int64_t p = 0; p < 10; ++p)
      EXPECT_EQ(few.values[size_t(channel * 10 + p)], many.values[size_t(channel * length + p)]);
    for (int64_t p = 0; p < length; p += 101) {
      double expected = channel % 2 ? std::cos(double(p) * w) : std::sin(double(p) * w);
      EXPECT_NEAR(many.values[size_t(channel * length + p)], expected, 1e-6 + double(p) * 4e-7)
          << channel << " " << p;
    }
  }
}

/// Learned positions for `places` places, looked up at what `positions` makes.
template <class Positions> CompiledModel learned(int places, const Positions &positions) {
  Program program;
  Size S = program.size("S", 64);
  nn::LearnedPositions<> table(program.scope("positions"), places, model, init::normal(0, 1));
  program.function(
      "f", [&](Function &f) { f.result<Position, nn::Model>("y", table(positions(f, S))); });
  return CompiledModel(program.print());
}

TEST(Properties, APositionPastTheLearnedMaximumIsAnErrorOfTheCall) {
  CompiledModel compiled =
      learned(16, [](Function &f, Size S) { return f.argument<int, Position>("position", S); });
  runtime::Model learned(compiled.tables());
  std::vector<float> y(2 * size_t(model));
  auto lookUp = [&](const std::vector<int> &position) {
    learned.call("f", {{"position", runtime::View<const int>(position.data(), {2})}},
                 {{"y", runtime::View<float>(y.data(), {2, model})}});
  };
  lookUp({0, 15});
  runtime::Tensor table = learned.variable("positions.weight");
  std::span<const float> rows(table.view<float>().data(), size_t(table.size()));
  EXPECT_TRUE(sameBits(std::span(y).first(model), rows.first(model)));
  EXPECT_TRUE(sameBits(std::span(y).last(model), rows.last(model)));
  for (int wrong : {16, -1}) {
    try {
      lookUp({3, wrong});
      ADD_FAILURE() << wrong;
    } catch (const runtime::Error &error) {
      EXPECT_EQ(error.code(), AXL_ERROR_ARGUMENT);
      EXPECT_THAT(error.what(), HasSubstr(runtime::concat(
                                    "argument 'position' has ", wrong,
                                    " as element 1; values must be at least 0 and below 16")));
    }
  }
}

TEST(Properties, MorePositionsThanLearnedOnesAreAnErrorOfTheCompiler) {
  auto counted = [](Function &f, Size S) {
    return iota<Position>(size<Position>(f.argument<int, Position>("ids", S)));
  };
  learned(64, counted);
  try {
    learned(63, counted);
    ADD_FAILURE();
  } catch (const std::runtime_error &error) {
    EXPECT_THAT(error.what(),
                HasSubstr("axis 'position' has up to 64 positions, but axis 'place' of the table "
                          "has size 63; lower the maximum of the positions, or give the table a "
                          "row for each"));
  }
}
} // namespace
