//===- Attention.h - what attention is made of, and its kinds --------------------------===//
//
// Vaswani et al. 2017, section 3.2. Tests: tests/frontend/AttentionTest.cpp,
// ElementsTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Linear.h"
#include "frontend/nn/Names.h"

namespace axloom::nn {

/// What attention looks at: keys [..., key, depth] and values [..., key, value depth].
template <class K, class V> struct KeysValues {
  K keys;
  V values;
};

/// What attention gives: its output, and the weights with which it looked.
template <class O, class W> struct Attended {
  O output;
  W weights;
};

struct AttentionOptions {
  double dropout = 0; // of weights
  Randomness randomness = {};
  bool scaled = true; // scores are divided by sqrt(d_k)
};

/// softmax(scores) V over the keys that `visible` shows to each query. `visible` is a mask, and a
/// query that sees nothing gets zeros; or it is numbers that are added to the scores, such as 0 and
/// -1e9; then what a query gets that sees nothing means nothing, and is zeros where attention is
/// fused.
//  scores: [..., key], values: [..., key, value depth] -> [..., value depth] and [..., key]
template <AnAxis Key, class S, class V, class M>
auto attendByScores(const S &scores, const V &values, const M &visible,
                    const AttentionOptions &options = {}, Where here = Where::current()) {
  graph::CallSite site(here);
  auto weights = [&] {
    if constexpr (std::same_as<ElementOf<M>, bool>)
      return softmax<Key>(where(visible, scores));
    else
      return softmax<Key>(scores + visible);
  }();
  // In the weights' own elements, which fused attention keeps.
  auto kept = axloom::detail::dropoutIn<ElementOf<decltype(weights)>>(weights, options.dropout,
                                                                      options.randomness, here);
  auto output = contract<Key>(kept, values);
  return Attended<decltype(output), decltype(weights)>{output, weights};
}

/// Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V (3.2.1, equation 1), with its weights. Queries
/// may have axes that keys and values lack, for heads that share these: [..., heads, member, query,
/// depth] beside [..., heads, key, depth] (grouped-query attention, Ainslie et al. 2023; without an
/// axis of heads multi-query attention, Shazeer 2019).
//  q: [..., depth], k: [..., key, depth], v: [..., key, value depth]
//  -> [..., value depth] and [..., key]
template <AnAxis Key, AnAxis Depth, class Q, class K, class V, class M>
auto attentionWithWeights(const Q &q, const KeysValues<K, V> &memory, const M &visible,
                          const AttentionOptions &options = {}, Where here = Where::current()) {
  graph::CallSite site(here);
  auto scores = contract<Depth>(q, memory.keys);
  if (options.scaled)
    scores = scores / sqrt<ElementOf<Q>>(size<Depth>(q));
  return attendByScores<Key>(scores, memory.values, visible, options);
}

/// The same without the weights, which then are in no memory.
template <AnAxis Key, AnAxis Depth, class Q, class K, class V, class M>
auto attention(const Q &q, const KeysValues<K, V> &memory, const M &visible,
               const AttentionOptions &options = {}, Where here = Where::current()) {
  graph::CallSite site(here);
  return attentionWithWeights<Key, Depth>(q, memory, visible, options).output;
}

/// Attention in which queries, keys and values are the inputs themselves: it has no parameters, and
/// permuting the positions permutes its outputs.
//  x: [..., position, model] -> the same
template <AnAxis Position, AnAxis Key, AnAxis Model = nn::Model, class X, class M>
auto selfAttention(const X &x, const M &visible, const AttentionOptions &options = {},
                   Where here = Where::current()) {
  graph::CallSite site(here);
  auto keys = rename<Position, Key>(x);
  auto values = rename<Model, ValueDepth>(keys);
  KeysValues<decltype(keys), decltype(values)> memory{keys, values};
  return rename<ValueDepth, Model>(attention<Key, Model>(x, memory, visible, options));
}

/// One head: Attention(x W^Q, m W^K, m W^V), with queries from x and keys and values from m.
template <AnAxis Model = nn::Model, AnAxis Depth = nn::Depth, AnAxis ValueDepth = nn::ValueDepth>
class SingleHeadAttention {
public:
  struct Dimensions {
    Size model, depth, valueDepth;
    bool bias = false;
  };

  SingleHeadAttention(const Scope &scope, const Dimensions &d, Where where = Where::current())
      : query(scope.part("query", where), d.model, d.depth, d.bias),
        key(scope.part("key", where), d.model, d.depth, d.bias),
        value(scope.part("value", where), d.model, d.valueDepth, d.bias) {}

  // x: [..., query, model], memory: [..., key, model] -> [..., query, value depth]
  template <AnAxis Key, class X, class Memory, class M>
  auto apply(const X &x, const Memory &memory, const M &visible,
             const AttentionOptions &options = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto keys = key(memory);
    auto values = value(memory);
    return attention<Key, Depth>(
        query(x), KeysValues<decltype(keys), decltype(values)>{keys, values}, visible, options);
  }

  Linear<Model, Depth> query, key;
  Linear<Model, ValueDepth> value;
};

/// The scores of a small network in place of a product: v^T tanh(W q + U k + b) (Bahdanau et al.
/// 2014, appendix A.1.2). For attendByScores.
template <AnAxis QueryModel = nn::Model, AnAxis KeyModel = nn::Model, AnAxis Hidden = nn::Hidden>
class AdditiveScores {
public:
  AdditiveScores(const Scope &scope, const Size &queryModel, const Size &keyModel,
                 const Size &hidden, Where where = Where::current())
      : query(scope.part("query", where), queryModel, hidden, false),
        key(scope.part("key", where), keyModel, hidden, true),
        score(scope.parameter<Hidden>(graph::Named("score.weight", scope.placeOr(where)),
                                      init::xavier(hidden.coefficient(), 1), hidden)) {}

  // q: [..., query model], k: [..., key, key model] -> [..., key]
  template <class Q, class K>
  auto operator()(const Q &q, const K &k, Where where = Where::current()) const {
    graph::CallSite site(where);
    return contract<Hidden>(tanh(query(q) + key(k)), score);
  }

  Linear<QueryModel, Hidden> query;
  Linear<KeyModel, Hidden> key;
  Variable<Axes<Hidden>, float> score;
};

/// How large a MultiHeadAttention is. No member of it: g++ 12 fails where one of a template has a
/// default that is no number, and the object is made from nested braces.
struct MultiHeadDimensions {
  Size model, heads, depth, valueDepth;
  bool bias = false;               // the paper's projections are plain matrices
  std::optional<Size> memory = {}; // the width of what is looked at, if it is not `model`
  // Heads of keys and values, if there are fewer: heads / keyHeads of the queries share each
  // (Ainslie et al. 2023).
  std::optional<Size> keyHeads = {};

  /// Heads that are as wide as the model.
  static MultiHeadDimensions wide(const Size &model, const Size &heads) {
    return {model, heads, model, model};
  }
};

/// MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O, head_i = Attention(Q W_i^Q, K W_i^K,
/// V W_i^V) (3.2.2). The projections make all heads at once and W^O sums over them, so that nothing
/// needs to be split or concatenated.
template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth>
class MultiHeadAttention {
public:
  using Dimensions = MultiHeadDimensions;

  MultiHeadAttention(const Scope &scope, const Dimensions &d, Where where = Where::current())
      : query(scope.part("query", where), d.model, {d.heads, d.depth}, d.bias),
        key(scope.part("key", where), d.memory.value_or(d.model),
            {d.keyHeads.value_or(d.heads), d.depth}, d.bias),
        value(scope.part("value", where), d.memory.value_or(d.model),
              {d.keyHeads.value_or(d.heads), d.valueDepth}, d.bias),
        output(scope.part("output", where), {d.heads, d.valueDepth}, d.model, d.bias) {
    if (d.keyHeads)
      members = axloom::detail::LocatedSize(d.heads, scope.placeOr(where)) / *d.keyHeads;
  }

  // memory: [..., key, model] -> keys [..., heads, key, depth], values [..., heads, key, v. depth]
  template <class X> auto project(const X &memory, Where where = Where::current()) const {
    auto keys = key(memory, where);
    auto values = value(memory, where);
    return KeysValues<decltype(keys), decltype(values)>{keys, values};
  }

  // x: [..., query, model]; memory: what `project` made, with axis Key
  // -> [..., query, model] and [..., heads, query, key]
  template <AnAxis Key, class X, class K, class V, class M>
  auto attendWithWeights(const X &x, const KeysValues<K, V> &memory, const M &visible,
                         const AttentionOptions &options = {},
                         Where where = Where::current()) const {
    graph::CallSite site(where);
    return attendByQueries<Key>(query(x), memory, visible, options);
  }

  // The same with queries that `query` made, for those who change them on the way.
  // queries: [..., heads, query, depth] -> [..., query, model] and [..., heads, query, key]
  template <AnAxis Key, class Q, class K, class V, class M>
  auto attendByQueries(const Q &queries, const KeysValues<K, V> &memory, const M &visible,
                       const AttentionOptions &options = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto seen = eachHead<Key>(queries, memory, visible, options);
    auto joined = output(seen.output);
    return Attended<decltype(joined), decltype(seen.weights)>{joined, seen.weights};
  }

  // The same without the weights.
  template <AnAxis Key, class X, class K, class V, class M>
  auto attend(const X &x, const KeysValues<K, V> &memory, const M &visible,
              const AttentionOptions &options = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    return attendWithWeights<Key>(x, memory, visible, options).output;
  }

  Linear<Model, Axes<Heads, Depth>> query, key;
  Linear<Model, Axes<Heads, ValueDepth>> value;
  Linear<Axes<Heads, ValueDepth>, Model> output;

private:
  // -> [..., heads, query, value depth] and [..., heads, query, key]
  template <AnAxis Key, class Q, class K, class V, class M>
  auto eachHead(const Q &queries, const KeysValues<K, V> &memory, const M &visible,
                const AttentionOptions &options) const {
    if (!members)
      return attentionWithWeights<Key, Depth>(queries, memory, visible, options);
    auto own = grouped(queries);
    auto shown = grouped(visible);
    auto seen = attentionWithWeights<Key, Depth>(own, memory, shown, options);
    auto heads = merge<Heads, Member, Heads>(seen.output);
    auto weights = merge<Heads, Member, Heads>(seen.weights);
    return Attended<decltype(heads), decltype(weights)>{heads, weights};
  }

  // x: [..., heads, ...] -> [..., heads of keys, member, ...]
  template <class X> auto grouped(const X &x) const {
    if constexpr (HasAxes<X, Heads>)
      return split<Heads, Heads, Member>(x, *members);
    else
      return x;
  }

  std::optional<Size> members; // heads of queries that share one of keys and values
};

} // namespace axloom::nn
