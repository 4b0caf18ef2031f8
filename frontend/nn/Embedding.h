//===- Embedding.h - a vector for each entry of a vocabulary ---------------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::nn {

/// A table [vocabulary, model]. Used in both directions it shares its weights between look-up and
/// projection (Press & Wolf 2016).
template <AnAxis Vocabulary, AnAxis Model> class Embedding {
public:
  Embedding(const Scope &scope, const Size &vocabulary, const Size &model,
            const Initializer &initializer, Where where = Where::current()) {
    graph::CallSite site(scope.placeOr(where));
    table = scope.parameter<Vocabulary, Model>("weight", initializer, vocabulary, model);
  }

  // ids: [...] of int -> [..., model]
  template <class I> auto operator()(const I &ids, Where where = Where::current()) const {
    return gather<Vocabulary>(table, ids, where);
  }

  // x: [..., model] -> [..., vocabulary]
  template <class X> auto logits(const X &x, Where where = Where::current()) const {
    return contract<Model>(x, table, where);
  }

  Variable<SetOf<Vocabulary, Model>, float> table;
};

} // namespace axloom::nn
