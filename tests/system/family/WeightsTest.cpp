// Layers that give their attention weights: compiled they are those of the interpreter, and the
// outputs are those of layers that keep them to themselves.
#include "frontend/Axloom.h"
#include "frontend/nn/Bert.h"
#include "frontend/nn/Masks.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/support/Values.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
struct Position : Axis<"position"> {};
struct Source : Axis<"source"> {};
struct Key : Axis<"key"> {};

constexpr int64_t positions = 7, sources = 5, seen = 4; // of the sources
constexpr int width = 16, heads = 2;

/// The results of a function by name, interpreted and compiled.
class Weights : public testing::Test {
protected:
  template <class Build> void run(const Build &build) {
    Program program;
    build(program);
    module = graphs.parse(program.print());
    ASSERT_TRUE(module) << graphs.takeErrors();
    Sizes sizes{{{"S", positions}, {"M", sources}}, {}};
    Inputs inputs{sizes, {}, {}};
    Random random(3);
    for (auto variable : module->getOps<ir::VariableOp>())
      inputs.variables[variable.getSymName().str()] = filled(
          llvm::cast<ir::NamedTensorType>(variable.getType()), uniform(-1, 1), sizes, random);
    auto function = functionOf(*module, "f");
    for (Type argument : function.getArgumentTypes()) {
      auto type = llvm::cast<ir::NamedTensorType>(argument);
      auto numbers = type.getElementType().isF32() ? uniform(-1, 1) : integers(0, 9);
      inputs.arguments.push_back(filled(type, numbers, sizes, random));
    }
    InterpreterExecutor interpreter(graphs);
    CompiledExecutor compiler;
    auto expected = interpreter.run(*module, "f", inputs);
    auto found = compiler.run(*module, "f", inputs);
    ASSERT_TRUE(succeeded(expected) && succeeded(found)) << graphs.takeErrors();
    for (std::size_t i = 0; i < found->results.size(); ++i) {
      std::string name = function.getResultAttrOfType<StringAttr>(i, "axloom.name").str();
      EXPECT_EQ(difference(expected->results[i], found->results[i], Tolerance::f32()), "") << name;
      results[name] = found->results[i];
    }
  }

  /// The weights of each query: the first `visible(query)` sum to 1 and the others are 0.
  template <class Visible>
  void expectRows(const std::string &name, const char *keyAxis, int64_t keys,
                  const Visible &visible) {
    const Array &weights = results.at(name);
    ASSERT_EQ(weights.values.size(), std::size_t(heads * positions * keys)) << name;
    for (int64_t row = 0; row < heads * positions; ++row) {
      int64_t head = row / positions, query = row % positions;
      double sum = 0;
      for (int64_t key = 0; key < keys; ++key) {
        double weight = weights.values[std::size_t(head * weights.stride("heads") +
                                                   query * weights.stride("position") +
                                                   key * weights.stride(keyAxis))];
        if (key < visible(query))
          sum += weight;
        else
          EXPECT_EQ(weight, 0) << name << " " << row << " " << key;
      }
      EXPECT_NEAR(sum, 1, 1e-5) << name << " " << row;
    }
  }

  Graphs graphs;
  OwningOpRef<ModuleOp> module;
  std::map<std::string, Array> results;
};

nn::LayerOptions options() {
  return {.model = width, .heads = heads, .depth = 8, .valueDepth = 8, .hidden = 32};
}
} // namespace

TEST_F(Weights, OfAnEncodersLayer) {
  run([](Program &program) {
    Size length = program.size("S", 64);
    nn::EncoderLayer<> layer(program.scope("layer"), options());
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Position, nn::Model>("x", length, width);
      auto visible = iota<Key>(length) < int(seen);
      auto given = layer.applyWithWeights<Position, Key>(x, visible, {});
      f.result<nn::Heads, Position, Key>("weights", given.weights);
      f.result<Position, nn::Model>("y", given.output);
      f.result<Position, nn::Model>("plain", layer.apply<Position, Key>(x, visible, {}));
    });
  });
  expectRows("weights", "key", positions, [](int64_t) { return seen; });
  EXPECT_EQ(difference(results["plain"], results["y"], Tolerance::f32()), "");
}

TEST_F(Weights, OfADecodersLayer) {
  run([](Program &program) {
    Size length = program.size("S", 64), lengthOfMemory = program.size("M", 64);
    nn::DecoderLayer<> layer(program.scope("layer"), options());
    program.function("f", [&](Function &f) {
      auto y = f.argument<float, Position, nn::Model>("y", length, width);
      auto memory = f.argument<float, Source, nn::Model>("memory", lengthOfMemory, width);
      auto own = layer.ownMemory(rename<Position, Key>(y));
      auto cross = layer.crossAttention.project(memory);
      auto causal = nn::causal<Position, Key>(length);
      auto visible = iota<Source>(lengthOfMemory) < int(seen);
      auto given = layer.applyWithWeights<Key, Source>(y, own, causal, cross, visible, {});
      f.result<nn::Heads, Position, Key>("own", given.ownWeights);
      f.result<nn::Heads, Position, Source>("cross", given.crossWeights);
      f.result<Position, nn::Model>("z", given.output);
      f.result<Position, nn::Model>("plain",
                                    layer.apply<Key, Source>(y, own, causal, cross, visible, {}));
    });
  });
  expectRows("own", "key", positions, [](int64_t query) { return query + 1; });
  expectRows("cross", "source", sources, [](int64_t) { return seen; });
  EXPECT_EQ(difference(results["plain"], results["z"], Tolerance::f32()), "");
}

TEST_F(Weights, OfEachLayerOfBert) {
  run([](Program &program) {
    Size length = program.size("S", 64);
    nn::BertOptions size{.words = 10, .places = 64, .layers = 2, .layer = options()};
    nn::Bert<> bert(program, size);
    program.function("f", [&](Function &f) {
      auto tokens = f.argument<int, Position>("tokens", length);
      auto visible = iota<Key>(length) < int(seen);
      auto given = bert.applyWithWeights<Position, Key>(tokens, constant(0), visible, {});
      ASSERT_EQ(given.weights.size(), 2u);
      f.result<nn::Heads, Position, Key>("first", given.weights[0]);
      f.result<nn::Heads, Position, Key>("second", given.weights[1]);
      f.result<Position, nn::Model>("x", given.output);
      f.result<Position, nn::Model>("plain",
                                    bert.apply<Position, Key>(tokens, constant(0), visible, {}));
    });
  });
  expectRows("first", "key", positions, [](int64_t) { return seen; });
  expectRows("second", "key", positions, [](int64_t) { return seen; });
  EXPECT_NE(difference(results["first"], results["second"], Tolerance::f32()), "");
  EXPECT_EQ(difference(results["plain"], results["x"], Tolerance::f32()), "");
}
