// Attention's modules and what is made of them: caches, and the layers of encoders and decoders.
#include "tests/frontend/Build.h"

#include "frontend/nn/Cache.h"
#include "frontend/nn/Transformer.h"

#include <gmock/gmock.h>

namespace axloom {
namespace {

TEST(Attention, AttentionWithValuesDeeperThanKeys) {
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

TEST(Attention, HeadsOfAGroupShareTheirKeysAndValues) {
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

TEST(Attention, MasksKnowTheHeadsOfQueries) {
  Program program;
  nn::MultiHeadDimensions sizes{.model = 32, .heads = 8, .depth = 4, .valueDepth = 4};
  auto masked = [&](int keyHeads) {
    sizes.keyHeads = keyHeads;
    std::string name = "f" + std::to_string(keyHeads);
    nn::MultiHeadAttention<> attention(program.scope(name), sizes);
    program.function(name, [&](Function &f) {
      auto x = f.argument<float, Query, nn::Model>("x", 7, 32);
      auto visible = f.argument<bool, nn::Heads, Key>("visible", 8, 7);
      auto memory = attention.project(rename<Query, Key>(x));
      f.result<Query, nn::Model>("y", attention.attend<Key>(x, memory, visible));
    });
    return bodyOf(program, name);
  };
  EXPECT_THAT(masked(2),
              testing::HasSubstr("softmax %11 mask %8 over \"key\" -> <heads: 2, key: 7, member: "
                                 "4, query: 7, f32>"));
  EXPECT_THAT(masked(8),
              testing::HasSubstr("softmax %11 mask %8 over \"key\" -> <heads: 8, key: 7, member: "
                                 "1, query: 7, f32>"));
}

// Biases that know the heads know those of queries.
TEST(Attention, ManyHeadsShareFewerKeysAndValues) {
  Program program;
  nn::MultiHeadDimensions sizes{.model = 32, .heads = 8, .depth = 4, .valueDepth = 4};
  sizes.keyHeads = 2;
  nn::MultiHeadAttention<> attention(program, sizes);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Query, nn::Model>("x", 7, 32);
    auto bias = f.argument<float, nn::Heads, Query, Key>("bias", 8, 7, 7);
    auto memory = attention.project(rename<Query, Key>(x));
    auto seen = attention.attendWithWeights<Key>(x, memory, bias);
    f.result<Query, nn::Model>("y", seen.output);
    f.result<nn::Heads, Query, Key>("weights", seen.weights);
  });
  EXPECT_EQ(parametersOf(program), R"(
query.weight: heads=8 depth=4 model=32
key.weight: heads=2 depth=4 model=32
value.weight: heads=2 value_depth=4 model=32
output.weight: model=32 heads=8 value_depth=4
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = rename %arg0 "query" to "key" -> <key: 7, model: 32, f32>
%1 = read @key.weight -> <depth: 4, heads: 2, model: 32, f32>
%2 = contract %0, %1 over ["model"] -> <depth: 4, heads: 2, key: 7, f32>
%3 = read @value.weight -> <heads: 2, model: 32, value_depth: 4, f32>
%4 = contract %0, %3 over ["model"] -> <heads: 2, key: 7, value_depth: 4, f32>
%5 = read @query.weight -> <depth: 4, heads: 8, model: 32, f32>
%6 = contract %arg0, %5 over ["model"] -> <depth: 4, heads: 8, query: 7, f32>
%7 = split %6 "heads" into ["heads", "member"] inner <4> -> <depth: 4, heads: 2, member: 4, query: 7, f32>
%8 = split %arg1 "heads" into ["heads", "member"] inner <4> -> <heads: 2, key: 7, member: 4, query: 7, f32>
%9 = contract %7, %2 over ["depth"] -> <heads: 2, key: 7, member: 4, query: 7, f32>
%10 = constant 2.000000e+00 : f32 -> <f32>
%11 = div %9, %10 -> <heads: 2, key: 7, member: 4, query: 7, f32>
%12 = add %11, %8 -> <heads: 2, key: 7, member: 4, query: 7, f32>
%13 = softmax %12 over "key" -> <heads: 2, key: 7, member: 4, query: 7, f32>
%14 = contract %13, %4 over ["key"] -> <heads: 2, member: 4, query: 7, value_depth: 4, f32>
%15 = merge %14 ["heads", "member"] into "heads" -> <heads: 8, query: 7, value_depth: 4, f32>
%16 = merge %13 ["heads", "member"] into "heads" -> <heads: 8, key: 7, query: 7, f32>
%17 = read @output.weight -> <heads: 8, model: 32, value_depth: 4, f32>
%18 = contract %15, %17 over ["heads", "value_depth"] -> <model: 32, query: 7, f32>
)");
}

TEST(Attention, CacheIsUpdatedAtOnePosition) {
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

TEST(Attention, RowsOfACacheChangePlaces) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 512);
  nn::Cache<Batch, Key> cache(program.scope("cache"), {B, 4, S, 16, 24});
  program.function("f", [&](Function &f) { cache.reorder(f.argument<int, Batch>("parent", B)); });
  EXPECT_EQ(bodyOf(program), R"(
%0 = rename %arg0 "batch" to "parent" -> <parent: B, i32>
%1 = read @cache.keys -> <batch: B, depth: 16, heads: 4, key: S, f32>
%2 = gather %1, %0 along "batch" -> <depth: 16, heads: 4, key: S, parent: B, f32>
%3 = rename %2 "parent" to "batch" -> <batch: B, depth: 16, heads: 4, key: S, f32>
%4 = read @cache.values -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
%5 = gather %4, %0 along "batch" -> <heads: 4, key: S, parent: B, value_depth: 24, f32>
%6 = rename %5 "parent" to "batch" -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
write @cache.keys, %3 -> <batch: B, depth: 16, heads: 4, key: S, f32>
write @cache.values, %6 -> <batch: B, heads: 4, key: S, value_depth: 24, f32>
)");
}

TEST(Attention, EncoderLayerNormalizesAfterEachResidual) {
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

TEST(Attention, DecoderLayerDoesStepsAndSequencesAlike) {
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

} // namespace
} // namespace axloom
