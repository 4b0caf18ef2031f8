#include "tests/frontend/Build.h"

#include "frontend/nn/Cache.h"
#include "frontend/nn/Convolution.h"
#include "frontend/nn/Embedding.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/RmsNorm.h"
#include "frontend/nn/Transformer.h"

#include <gmock/gmock.h>

namespace axloom {
namespace {

/// The names of the parameters in the order of their declaration, with their axes in order.
std::string parametersOf(const Program &program) {
  std::string list;
  for (const AnyVariable &parameter : program.parameters()) {
    list += "\n" + parameter.name() + ":";
    for (const auto &[axis, size] : graph::shapeOf(parameter.node(), Where::current()).axes)
      list += " " + axis + "=" + size.print();
  }
  return list + "\n";
}

TEST(Modules, LinearMapsListsOfAxes) {
  Program program;
  nn::Linear<Width, Axes<Heads, Depth>> split(program.scope("split"), 32, {4, 8});
  nn::Linear<Axes<Heads, Depth>, Width> join(program.scope("join"), {4, 8}, 32, false);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, Width>("x", 7, 32);
    f.result<Position, Width>("y", join(split(x)));
  });
  EXPECT_EQ(parametersOf(program), R"(
split.weight: heads=4 depth=8 width=32
split.bias: heads=4 depth=8
join.weight: width=32 heads=4 depth=8
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @split.weight -> <depth: 8, heads: 4, width: 32, f32>
%1 = contract %arg0, %0 over ["width"] -> <depth: 8, heads: 4, position: 7, f32>
%2 = read @split.bias -> <depth: 8, heads: 4, f32>
%3 = add %1, %2 -> <depth: 8, heads: 4, position: 7, f32>
%4 = read @join.weight -> <depth: 8, heads: 4, width: 32, f32>
%5 = contract %3, %4 over ["heads", "depth"] -> <position: 7, width: 32, f32>
)");
}

TEST(Modules, LinearStartsWithXavier) {
  Program program;
  nn::Linear<Width, Axes<Heads, Depth>> linear(program, 4, {5, 3}); // bound sqrt(6 / 19)
  EXPECT_NE(program.print().find("high = 0.56195148694901631"), std::string::npos)
      << program.print();
}

TEST(Modules, TapsOfAConvolutionShareTheVariance) {
  Program program;
  nn::Convolution<Width, Depth> convolution(program, 4, 5, 3); // bound sqrt(6 / (3 * 9))
  EXPECT_NE(program.print().find("high = 0.47140452079103168"), std::string::npos)
      << program.print();
}

TEST(Modules, EmbeddingLooksUpAndProjects) {
  Program program;
  nn::Embedding<Vocabulary, Width> embedding(program, 100, 32, init::normal(0, 1));
  program.function("f", [&](Function &f) {
    auto ids = f.argument<int, Position>("ids", 7);
    f.result<Position, Vocabulary>("logits", embedding.logits(embedding(ids)));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @weight -> <vocabulary: 100, width: 32, f32>
%1 = gather %0, %arg0 along "vocabulary" -> <position: 7, width: 32, f32>
%2 = contract %1, %0 over ["width"] -> <position: 7, vocabulary: 100, f32>
)");
}

TEST(Modules, SinusoidsAlternate) {
  EXPECT_EQ(opsOf([](Function &, Size, Size S) { nn::sinusoids(iota<Position>(S), 16); }),
            R"(
%0 = iota "position" size <S> -> <position: S, i32>
%1 = iota "model" size <16> -> <model: 16, i32>
%2 = constant 2 : i32 -> <i32>
%3 = rem %1, %2 -> <model: 16, i32>
%4 = constant 0 : i32 -> <i32>
%5 = compare "eq" %3, %4 -> <model: 16, i1>
%6 = constant 2 : i32 -> <i32>
%7 = rem %1, %6 -> <model: 16, i32>
%8 = sub %1, %7 -> <model: 16, i32>
%9 = cast %8 to f32 -> <model: 16, f32>
%10 = constant 1.600000e+01 : f32 -> <f32>
%11 = div %9, %10 -> <model: 16, f32>
%12 = neg %11 -> <model: 16, f32>
%13 = constant 1.000000e+04 : f32 -> <f32>
%14 = pow %13, %12 -> <model: 16, f32>
%15 = cast %0 to f32 -> <position: S, f32>
%16 = mul %15, %14 -> <model: 16, position: S, f32>
%17 = cos %16 -> <model: 16, position: S, f32>
%18 = sin %16 -> <model: 16, position: S, f32>
%19 = select %5, %18, %17 -> <model: 16, position: S, f32>
)");
}

TEST(Modules, RotaryPositionsTurnPairsOfChannels) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size S) {
              auto x = f.argument<float, Position, Depth>("x", S, 8);
              nn::rotary<Depth>(x, iota<Position>(S));
            }),
            R"(
%0 = iota "position" size <S> -> <position: S, i32>
%1 = iota "depth" size <8> -> <depth: 8, i32>
%2 = constant 4 : i32 -> <i32>
%3 = rem %1, %2 -> <depth: 8, i32>
%4 = cast %3 to f32 -> <depth: 8, f32>
%5 = constant 4.000000e+00 : f32 -> <f32>
%6 = div %4, %5 -> <depth: 8, f32>
%7 = neg %6 -> <depth: 8, f32>
%8 = constant 1.000000e+04 : f32 -> <f32>
%9 = pow %8, %7 -> <depth: 8, f32>
%10 = cast %0 to f32 -> <position: S, f32>
%11 = mul %10, %9 -> <depth: 8, position: S, f32>
%12 = slice %arg0 "depth" from 0 size 4 -> <depth: 4, position: S, f32>
%13 = slice %arg0 "depth" from 4 size 4 -> <depth: 4, position: S, f32>
%14 = neg %13 -> <depth: 4, position: S, f32>
%15 = concat %14, %12 along "depth" -> <depth: 8, position: S, f32>
%16 = sin %11 -> <depth: 8, position: S, f32>
%17 = mul %15, %16 -> <depth: 8, position: S, f32>
%18 = cos %11 -> <depth: 8, position: S, f32>
%19 = mul %arg0, %18 -> <depth: 8, position: S, f32>
%20 = add %19, %17 -> <depth: 8, position: S, f32>
)");
}

TEST(Modules, RotaryPositionsNeedAnEvenDepth) {
  try {
    opsOf([](Function &f, Size, Size S) {
      nn::rotary<Depth>(f.argument<float, Position, Depth>("x", S, 7), iota<Position>(S));
    });
    FAIL();
  } catch (const GraphError &error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("expected: an even number of them\n"));
  }
}

TEST(Modules, RmsNormHasAScaleAlone) {
  Program program;
  Size B = program.size("B", 64);
  nn::RmsNorm<nn::Model> norm(program, 32);
  program.function("f", [&](Function &f) {
    f.result<Batch, nn::Model>("y", norm(f.argument<float, Batch, nn::Model>("x", B, 32)));
  });
  EXPECT_EQ(parametersOf(program), R"(
weight: model=32
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = mul %arg0, %arg0 -> <batch: B, model: 32, f32>
%1 = reduce "sum" %0 over ["model"] -> <batch: B, f32>
%2 = constant 3.200000e+01 : f32 -> <f32>
%3 = div %1, %2 -> <batch: B, f32>
%4 = constant 9.99999974E-6 : f32 -> <f32>
%5 = add %3, %4 -> <batch: B, f32>
%6 = rsqrt %5 -> <batch: B, f32>
%7 = mul %arg0, %6 -> <batch: B, model: 32, f32>
%8 = read @weight -> <model: 32, f32>
%9 = mul %7, %8 -> <batch: B, model: 32, f32>
)");
}

TEST(Modules, FeedForward) {
  Program program;
  nn::FeedForward<> feedForward(program, 32, 64);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, nn::Model>("x", 7, 32);
    f.result<Position, nn::Model>("y", feedForward(x));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @inner.weight -> <hidden: 64, model: 32, f32>
%1 = contract %arg0, %0 over ["model"] -> <hidden: 64, position: 7, f32>
%2 = read @inner.bias -> <hidden: 64, f32>
%3 = add %1, %2 -> <hidden: 64, position: 7, f32>
%4 = constant 0.000000e+00 : f32 -> <f32>
%5 = maximum %3, %4 -> <hidden: 64, position: 7, f32>
%6 = read @outer.weight -> <hidden: 64, model: 32, f32>
%7 = contract %5, %6 over ["hidden"] -> <model: 32, position: 7, f32>
%8 = read @outer.bias -> <model: 32, f32>
%9 = add %7, %8 -> <model: 32, position: 7, f32>
)");
}

TEST(Modules, AttentionWithValuesDeeperThanKeys) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  struct Layer {
    nn::MultiHeadAttention<> attention;
  };
  auto make = [](const Scope &scope) -> Layer { return {{scope, {32, 4, 16, 24}}}; };
  const Layer layer = make(program);
  const auto &attention = layer.attention;
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Query, nn::Model>("x", B, S, 32);
    auto real = f.argument<bool, Batch, Key>("real", B, S);
    auto memory = attention.project(rename<Query, Key>(x));
    f.result<Batch, Query, nn::Model>("y", attention.attend<Key>(x, memory, real));
  });
  EXPECT_EQ(parametersOf(program), R"(
query.weight: heads=4 depth=16 model=32
key.weight: heads=4 depth=16 model=32
value.weight: heads=4 value_depth=24 model=32
output.weight: model=32 heads=4 value_depth=24
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = rename %arg0 "query" to "key" -> <batch: B, key: S, model: 32, f32>
%1 = read @key.weight -> <depth: 16, heads: 4, model: 32, f32>
%2 = contract %0, %1 over ["model"] -> <batch: B, depth: 16, heads: 4, key: S, f32>
%3 = read @value.weight -> <heads: 4, model: 32, value_depth: 24, f32>
%4 = contract %0, %3 over ["model"] -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
%5 = read @query.weight -> <depth: 16, heads: 4, model: 32, f32>
%6 = contract %arg0, %5 over ["model"] -> <batch: B, depth: 16, heads: 4, query: S, f32>
%7 = contract %6, %2 over ["depth"] -> <batch: B, heads: 4, key: S, query: S, f32>
%8 = constant 4.000000e+00 : f32 -> <f32>
%9 = div %7, %8 -> <batch: B, heads: 4, key: S, query: S, f32>
%10 = softmax %9 mask %arg1 over "key" -> <batch: B, heads: 4, key: S, query: S, f32>
%11 = contract %10, %4 over ["key"] -> <batch: B, heads: 4, query: S, value_depth: 24, f32>
%12 = read @output.weight -> <heads: 4, model: 32, value_depth: 24, f32>
%13 = contract %11, %12 over ["heads", "value_depth"] -> <batch: B, model: 32, query: S, f32>
)");
}

TEST(Modules, HeadsOfAGroupShareTheirKeysAndValues) {
  struct Member : Axis<"member"> {};
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  program.function("f", [&](Function &f) {
    auto q = f.argument<float, Batch, Query, nn::Heads, Member, Depth>("q", B, S, 2, 4, 8);
    auto k = f.argument<float, Batch, Key, nn::Heads, Depth>("k", B, S, 2, 8);
    auto v = f.argument<float, Batch, Key, nn::Heads, nn::ValueDepth>("v", B, S, 2, 8);
    nn::KeysValues<decltype(k), decltype(v)> memory{k, v};
    auto y = nn::attention<Key, Depth>(q, memory, constant(true));
    static_assert(
        std::same_as<decltype(y), Tensor<Batch, Query, nn::Heads, Member, nn::ValueDepth>>);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant true -> <i1>
%1 = contract %arg0, %arg1 over ["depth"] -> <batch: B, heads: 2, key: S, member: 4, query: S, f32>
%2 = constant 2.82842708 : f32 -> <f32>
%3 = div %1, %2 -> <batch: B, heads: 2, key: S, member: 4, query: S, f32>
%4 = softmax %3 mask %0 over "key" -> <batch: B, heads: 2, key: S, member: 4, query: S, f32>
%5 = contract %4, %arg2 over ["key"] -> <batch: B, heads: 2, member: 4, query: S, value_depth: 8, f32>
)");
}

TEST(Modules, CacheIsUpdatedAtOnePosition) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  nn::Cache<Batch, Key> cache(program.scope("cache"), {B, 4, S, 16, 24});
  program.function("f", [&](Function &f) {
    auto keys = f.argument<float, Batch, nn::Heads, nn::Depth>("k", B, 4, 16);
    auto values = f.argument<float, Batch, nn::Heads, nn::ValueDepth>("v", B, 4, 24);
    auto position = f.argument<int>("position");
    cache.put(position, nn::KeysValues<decltype(keys), decltype(values)>{keys, values});
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @cache.keys -> <batch: B, depth: 16, heads: 4, key: S, f32>
%1 = update %0 at %arg2 with %arg0 along "key" -> <batch: B, depth: 16, heads: 4, key: S, f32>
%2 = read @cache.values -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
%3 = update %2 at %arg2 with %arg1 along "key" -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
write @cache.keys, %1 -> <batch: B, depth: 16, heads: 4, key: S, f32>
write @cache.values, %3 -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
)");
}

TEST(Modules, EncoderLayerNormalizesAfterEachResidual) {
  Program program;
  nn::LayerOptions options{.model = 32, .heads = 4, .depth = 8, .valueDepth = 8, .hidden = 64};
  nn::EncoderLayer<> layer(program.scope("layer"), options);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, nn::Model>("x", 7, 32);
    f.result<Position, nn::Model>("y", layer.apply<Position, Key>(x, constant(true), {}));
  });
  EXPECT_EQ(parametersOf(program), R"(
layer.attention.query.weight: heads=4 depth=8 model=32
layer.attention.key.weight: heads=4 depth=8 model=32
layer.attention.value.weight: heads=4 value_depth=8 model=32
layer.attention.output.weight: model=32 heads=4 value_depth=8
layer.feed_forward.inner.weight: hidden=64 model=32
layer.feed_forward.inner.bias: hidden=64
layer.feed_forward.outer.weight: model=32 hidden=64
layer.feed_forward.outer.bias: model=32
layer.attention.norm.weight: model=32
layer.attention.norm.bias: model=32
layer.feed_forward.norm.weight: model=32
layer.feed_forward.norm.bias: model=32
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant true -> <i1>
%1 = rename %arg0 "position" to "key" -> <key: 7, model: 32, f32>
%2 = read @layer.attention.key.weight -> <depth: 8, heads: 4, model: 32, f32>
%3 = contract %1, %2 over ["model"] -> <depth: 8, heads: 4, key: 7, f32>
%4 = read @layer.attention.value.weight -> <heads: 4, model: 32, value_depth: 8, f32>
%5 = contract %1, %4 over ["model"] -> <heads: 4, key: 7, value_depth: 8, f32>
%6 = read @layer.attention.query.weight -> <depth: 8, heads: 4, model: 32, f32>
%7 = contract %arg0, %6 over ["model"] -> <depth: 8, heads: 4, position: 7, f32>
%8 = contract %7, %3 over ["depth"] -> <heads: 4, key: 7, position: 7, f32>
%9 = constant 2.82842708 : f32 -> <f32>
%10 = div %8, %9 -> <heads: 4, key: 7, position: 7, f32>
%11 = softmax %10 mask %0 over "key" -> <heads: 4, key: 7, position: 7, f32>
%12 = contract %11, %5 over ["key"] -> <heads: 4, position: 7, value_depth: 8, f32>
%13 = read @layer.attention.output.weight -> <heads: 4, model: 32, value_depth: 8, f32>
%14 = contract %12, %13 over ["heads", "value_depth"] -> <model: 32, position: 7, f32>
%15 = add %arg0, %14 -> <model: 32, position: 7, f32>
%16 = read @layer.attention.norm.weight -> <model: 32, f32>
%17 = read @layer.attention.norm.bias -> <model: 32, f32>
%y, %mean, %rstd = layer_norm %15 scale %16 offset %17 over "model" epsilon 1.000000e-05 -> <model: 32, position: 7, f32>, <position: 7, f32>, <position: 7, f32>
%18 = read @layer.feed_forward.inner.weight -> <hidden: 64, model: 32, f32>
%19 = contract %y, %18 over ["model"] -> <hidden: 64, position: 7, f32>
%20 = read @layer.feed_forward.inner.bias -> <hidden: 64, f32>
%21 = add %19, %20 -> <hidden: 64, position: 7, f32>
%22 = constant 0.000000e+00 : f32 -> <f32>
%23 = maximum %21, %22 -> <hidden: 64, position: 7, f32>
%24 = read @layer.feed_forward.outer.weight -> <hidden: 64, model: 32, f32>
%25 = contract %23, %24 over ["hidden"] -> <model: 32, position: 7, f32>
%26 = read @layer.feed_forward.outer.bias -> <model: 32, f32>
%27 = add %25, %26 -> <model: 32, position: 7, f32>
%28 = add %y, %27 -> <model: 32, position: 7, f32>
%29 = read @layer.feed_forward.norm.weight -> <model: 32, f32>
%30 = read @layer.feed_forward.norm.bias -> <model: 32, f32>
%y_0, %mean_1, %rstd_2 = layer_norm %28 scale %29 offset %30 over "model" epsilon 1.000000e-05 -> <model: 32, position: 7, f32>, <position: 7, f32>, <position: 7, f32>
)");
}

TEST(Modules, DecoderLayerDoesStepsAndSequencesAlike) {
  Program program;
  nn::LayerOptions options{.model = 32, .heads = 4, .depth = 8, .valueDepth = 8, .hidden = 64};
  nn::DecoderLayer<> layer(program.scope("layer"), options);
  auto build = [&](auto y) {
    auto own = layer.selfAttention.project(rename<Query, Key>(
        Tensor<Query, nn::Model>(cast<float>(iota<Query>(7)) * cast<float>(iota<nn::Model>(32)))));
    auto memory = layer.crossAttention.project(Tensor<Position, nn::Model>(
        cast<float>(iota<Position>(5)) * cast<float>(iota<nn::Model>(32))));
    return layer.apply<Key, Position>(y, own, constant(true), memory, constant(true), {});
  };
  program.function("sequence", [&](Function &f) {
    auto y = f.argument<float, Query, nn::Model>("y", 7, 32);
    f.result<Query, nn::Model>("z", build(y));
  });
  program.function("step", [&](Function &f) {
    auto y = f.argument<float, nn::Model>("y", 32);
    f.result<nn::Model>("z", build(y));
  });
  // The same ops, but for the axis of queries.
  std::string sequence = bodyOf(program, "sequence"), step = bodyOf(program, "step");
  auto count = [](const std::string &text, const std::string &what) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
      ++n;
    return n;
  };
  for (std::string op : {"contract", "softmax", "layer_norm", "maximum", "add"})
    EXPECT_EQ(count(sequence, "= " + op), count(step, "= " + op)) << op;
  EXPECT_EQ(count(step, "= contract"), 14);
}

TEST(Modules, OpsOfAModuleCarryTheUsersLine) {
  Program program;
  nn::FeedForward<> feedForward(program, 32, 64);
  std::string found = errorOf([&] {
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Position, nn::Model>("x", 7, 33);
      feedForward(x); // here
    });
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: contract: axis 'model' has size 33 on the left, 32 on the right");
}

} // namespace
} // namespace axloom
