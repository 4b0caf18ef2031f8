//===- RmsNorm.h - normalization by the root mean square, with a learned scale ------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::nn {

/// x / sqrt(mean(x^2) + epsilon) * scale along axis A (Zhang & Sennrich 2019).
template <AnAxis A> class RmsNorm {
public:
  RmsNorm(const Scope &scope, const Size &size, double epsilon = 1e-5,
          Where where = Where::current())
      : epsilon(epsilon) {
    graph::CallSite site(scope.placeOr(where));
    graph::requireAtLeast(epsilon, 0, "epsilon", where);
    scale = scope.parameter<A>("weight", init::ones(), size);
  }

  // x: [..., a] -> [..., a]
  template <HasAxes<A> X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    return x * rsqrt(mean<A>(x * x) + epsilon) * scale;
  }
  template <class X, class Error = misuse::Along<X, A>>
    requires misuse::Broken<Error>
  void operator()(const X &) const = delete;

  Variable<Axes<A>, float> scale;

private:
  double epsilon;
};

} // namespace axloom::nn
