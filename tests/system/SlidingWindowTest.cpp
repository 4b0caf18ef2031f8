// Attention in a sliding window: what a block of queries knows of the keys does not change what
// comes of them.
#include "tests/system/support/Transformer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace axloom;
using namespace axloom::runtime;
using namespace axloom::test;

namespace {

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Attention and its gradient under the mask %m; results have this number in their names.
std::string attentionUnder(const std::string &mask, const std::string &number) {
  return replaced(replaced(R"(
    %yN, %lN = axloom.attention %q, %k, %v mask %m depth "depth" key "key" scale 0.25
        : T<Q>, T<K>, T<V> mask T<M> -> T<Y>, T<L>
    %dqN, %dkN, %dvN = axloom.attention_gradient %q, %k, %v mask %m output %yN log2sumexp %lN gradient %g
        depth "depth" key "key" scale 0.25 : T<Q>, T<K>, T<V> mask T<M>, T<Y>, T<L>, T<Y> -> T<Q>, T<K>, T<V>
  )",
                           "%m", mask),
                  "N", number);
}

TEST(SlidingWindow, OfRaggedSentencesIsThatOfAMask) {
  std::string text = R"(
    axloom.size @B max 4
    axloom.size @S max 400
    func.func @f(%q: T<Q> {axloom.name = "q", axloom.order = ["batch", "query", "depth"]},
                 %k: T<K> {axloom.name = "k", axloom.order = ["batch", "key", "depth"]},
                 %v: T<V> {axloom.name = "v", axloom.order = ["batch", "key", "value"]},
                 %g: T<Y> {axloom.name = "g", axloom.order = ["batch", "query", "value"]},
                 %given: T<M> {axloom.name = "given", axloom.order = ["batch", "query", "key"]})
        -> (T<Y> {axloom.name = "y1", axloom.order = ["batch", "query", "value"]},
            T<Q> {axloom.name = "dq1", axloom.order = ["batch", "query", "depth"]},
            T<K> {axloom.name = "dk1", axloom.order = ["batch", "key", "depth"]},
            T<V> {axloom.name = "dv1", axloom.order = ["batch", "key", "value"]},
            T<Y> {axloom.name = "y2", axloom.order = ["batch", "query", "value"]},
            T<Q> {axloom.name = "dq2", axloom.order = ["batch", "query", "depth"]},
            T<K> {axloom.name = "dk2", axloom.order = ["batch", "key", "depth"]},
            T<V> {axloom.name = "dv2", axloom.order = ["batch", "key", "value"]}) {
      %i = axloom.iota "query" size <S[batch]> entries <B> : T<batch: B, query: S[batch], i32>
      %j = axloom.iota "key" size <S[batch]> entries <B> : T<batch: B, key: S[batch], i32>
      %n = axloom.constant 50 : i32 : T<i32>
      %distance = axloom.sub %i, %j : T<batch: B, query: S[batch], i32>, T<batch: B, key: S[batch], i32>
          -> T<batch: B, key: S[batch], query: S[batch], i32>
      %near = axloom.compare "lt" %distance, %n
          : T<batch: B, key: S[batch], query: S[batch], i32>, T<i32> -> T<M>
      %causal = axloom.compare "le" %j, %i
          : T<batch: B, key: S[batch], i32>, T<batch: B, query: S[batch], i32> -> T<M>
      %window = axloom.and %causal, %near : T<M>, T<M> -> T<M>
  )" + attentionUnder("%window", "1") +
                     attentionUnder("%given", "2") + R"(
      return %y1, %dq1, %dk1, %dv1, %y2, %dq2, %dk2, %dv2
          : T<Y>, T<Q>, T<K>, T<V>, T<Y>, T<Q>, T<K>, T<V>
    })";
  for (auto [name, axes] : {std::pair("T<Q>", "T<batch: B, depth: 16, query: S[batch], f32>"),
                            {"T<K>", "T<batch: B, depth: 16, key: S[batch], f32>"},
                            {"T<V>", "T<batch: B, key: S[batch], value: 16, f32>"},
                            {"T<Y>", "T<batch: B, query: S[batch], value: 16, f32>"},
                            {"T<L>", "T<batch: B, query: S[batch], f32>"},
                            {"T<M>", "T<batch: B, key: S[batch], query: S[batch], i1>"},
                            {"T<", "!axloom.tensor<"}})
    text = replaced(text, name, axes);
  CompiledModel compiled(text);
  Model model(compiled.tables(), 1);
  const std::vector<int32_t> lengths{130, 0, 301, 7};
  int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t(0)), pairs = 0;
  for (int32_t length : lengths)
    pairs += int64_t(length) * length;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Tensor q(AXL_F32, {tokens, 16}), k(AXL_F32, {tokens, 16}), v(AXL_F32, {tokens, 16}),
      g(AXL_F32, {tokens, 16}), given(AXL_I1, {pairs}), each(AXL_I32, {4});
  for (Tensor *tensor : {&q, &k, &v, &g})
    std::ranges::generate(tensor->view<float>(), [&] { return normal(random); });
  std::ranges::copy(lengths, each.view<int32_t>().begin());
  auto *next = static_cast<uint8_t *>(given.data());
  for (int32_t length : lengths)
    for (int32_t query = 0; query < length; ++query)
      for (int32_t key = 0; key < length; ++key)
        *next++ = key <= query && query - key < 50;
  auto found = model.run(
      "f", {{"q", q}, {"k", k}, {"v", v}, {"g", g}, {"given", given}, {"S.lengths", each}});
  for (size_t i = 0; i < 4; ++i) {
    auto window = found[i].tensor.view<float>(), mask = found[i + 4].tensor.view<float>();
    ASSERT_EQ(window.size(), tokens * 16);
    for (int64_t j = 0; j < window.size(); ++j)
      ASSERT_NEAR(window[j], mask[j], 2e-5) << found[i].name << " at " << j;
  }
}

} // namespace
