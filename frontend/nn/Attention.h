//===- Attention.h - scaled dot-product and multi-head attention -----------------------===//
//
// Vaswani et al. 2017, section 3.2. Test: tests/frontend/ModulesTest.cpp
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

/// How often attention weights are dropped, and by which random numbers.
struct WeightDropout {
  double rate = 0;
  Randomness randomness = {};
};

/// Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V, over the keys that `visible` shows to each
/// query (3.2.1, equation 1). A query that sees nothing gets zeros.
//  q: [..., depth], k: [..., key, depth], v: [..., key, value depth] -> [..., value depth]
template <AnAxis Key, AnAxis Depth, class Q, class K, class V, class M>
auto attention(const Q &q, const KeysValues<K, V> &memory, const M &visible,
               const WeightDropout &drop = {}, Where here = Where::current()) {
  graph::CallSite site(here);
  auto scores = contract<Depth>(q, memory.keys) / sqrt(size<Depth>(q));
  auto weights = dropout(softmax<Key>(where(visible, scores)), drop.rate, drop.randomness);
  return contract<Key>(weights, memory.values);
}

/// MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O, head_i = Attention(Q W_i^Q, K W_i^K,
/// V W_i^V) (3.2.2). The projections make all heads at once and W^O sums over them, so that nothing
/// needs to be split or concatenated.
template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth>
class MultiHeadAttention {
public:
  struct Dimensions {
    Size model, heads, depth, valueDepth;
    bool bias = false; // the paper's projections are plain matrices
  };

  MultiHeadAttention(const Scope &scope, const Dimensions &d, Where where = Where::current())
      : query(scope.scope("query"), d.model, {d.heads, d.depth}, d.bias, where),
        key(scope.scope("key"), d.model, {d.heads, d.depth}, d.bias, where),
        value(scope.scope("value"), d.model, {d.heads, d.valueDepth}, d.bias, where),
        output(scope.scope("output"), {d.heads, d.valueDepth}, d.model, d.bias, where) {}

  // memory: [..., key, model] -> keys [..., heads, key, depth], values [..., heads, key, v. depth]
  template <class X> auto project(const X &memory, Where where = Where::current()) const {
    auto keys = key(memory, where);
    auto values = value(memory, where);
    return KeysValues<decltype(keys), decltype(values)>{keys, values};
  }

  // x: [..., query, model]; memory: what `project` made, with axis Key -> [..., query, model]
  template <AnAxis Key, class X, class K, class V, class M>
  auto attend(const X &x, const KeysValues<K, V> &memory, const M &visible,
              const WeightDropout &drop = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    return output(attention<Key, Depth>(query(x), memory, visible, drop));
  }

  Linear<Model, Axes<Heads, Depth>> query, key;
  Linear<Model, Axes<Heads, ValueDepth>> value;
  Linear<Axes<Heads, ValueDepth>, Model> output;
};

} // namespace axloom::nn
