//===- Cache.h - keys and values that decoding keeps between steps ---------------------===//
//
// Test: tests/frontend/AttentionTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Attention.h"

namespace axloom::nn {

struct Parent : Axis<"parent"> {}; // rows of the batch that entries come from

/// Session variables keys [batch, heads, key, depth] and values [batch, heads, key, value depth],
/// in this order in memory.
template <AnAxis Batch, AnAxis Key, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth>
class Cache {
public:
  struct Dimensions {
    Size batch, heads, key, depth, valueDepth;
  };

  Cache(const Scope &scope, const Dimensions &d, Where where = Where::current()) {
    graph::CallSite site(scope.placeOr(where));
    keys = scope.session<float, Batch, Heads, Key, Depth>("keys", d.batch, d.heads, d.key, d.depth);
    values = scope.session<float, Batch, Heads, Key, ValueDepth>("values", d.batch, d.heads, d.key,
                                                                 d.valueDepth);
  }

  /// Replaces all entries.
  template <class K, class V>
  void store(const KeysValues<K, V> &entries, Where where = Where::current()) const {
    assign(keys, entries.keys, where);
    assign(values, entries.values, where);
  }

  /// Writes the entries of one key, in place, and returns all.
  template <class I, class K, class V>
  auto put(const I &index, const KeysValues<K, V> &entry, Where where = Where::current()) const {
    auto newKeys = update<Key>(keys, index, entry.keys, where);
    auto newValues = update<Key>(values, index, entry.values, where);
    KeysValues<decltype(newKeys), decltype(newValues)> all{newKeys, newValues};
    store(all, where);
    return all;
  }

  /// Puts the entries of row parent[b] of the batch in the place of those of each row b.
  ///  parent: [batch]
  template <class I> void reorder(const I &parent, Where where = Where::current()) const {
    auto from = rename<Batch, Parent>(parent, where);
    auto newKeys = rename<Parent, Batch>(gather<Batch>(keys, from, where), where);
    auto newValues = rename<Parent, Batch>(gather<Batch>(values, from, where), where);
    store(KeysValues<decltype(newKeys), decltype(newValues)>{newKeys, newValues}, where);
  }

  /// All entries as they were at the function's entry.
  auto load() const {
    using K = Tensor<Batch, Heads, Key, Depth>;
    using V = Tensor<Batch, Heads, Key, ValueDepth>;
    return KeysValues<K, V>{keys, values};
  }

private:
  Variable<SetOf<Batch, Heads, Key, Depth>, float> keys;
  Variable<SetOf<Batch, Heads, Key, ValueDepth>, float> values;
};

} // namespace axloom::nn
