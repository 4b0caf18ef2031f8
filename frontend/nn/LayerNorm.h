//===- LayerNorm.h - layer normalization with a learned scale and offset -------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::nn {

/// Normalizes along axis A (Ba et al. 2016).
template <AnAxis A> class LayerNorm {
public:
  LayerNorm(const Scope &scope, const Size &size, double epsilon = 1e-5,
            Where where = Where::current())
      : epsilon(epsilon) {
    graph::CallSite site(scope.placeOr(where));
    scale = scope.parameter<A>("weight", init::ones(), size);
    offset = scope.parameter<A>("bias", init::zeros(), size);
  }

  // x: [..., a] -> [..., a]
  template <HasAxes<A> X> auto operator()(const X &x, Where where = Where::current()) const {
    return layer_norm<A>(x, scale, offset, epsilon, where);
  }
  template <class X, class Error = misuse::Along<X, A>>
    requires misuse::Broken<Error>
  void operator()(const X &) const = delete;

  Variable<Axes<A>, float> scale, offset;

private:
  double epsilon;
};

} // namespace axloom::nn
