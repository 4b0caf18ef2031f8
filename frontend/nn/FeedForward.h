//===- FeedForward.h - the position-wise feed-forward network --------------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Linear.h"
#include "frontend/nn/Names.h"

namespace axloom::nn {

/// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (Vaswani et al. 2017, equation 2).
template <AnAxis Model = nn::Model, AnAxis Hidden = nn::Hidden> class FeedForward {
public:
  FeedForward(const Scope &scope, const Size &model, const Size &hidden,
              Where where = Where::current())
      : inner(scope.scope("inner"), model, hidden, true, where),
        outer(scope.scope("outer"), hidden, model, true, where) {}

  // x: [..., model] -> [..., model]
  template <class X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    return outer(relu(inner(x)));
  }

  Linear<Model, Hidden> inner;
  Linear<Hidden, Model> outer;
};

} // namespace axloom::nn
