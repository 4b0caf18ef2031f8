//===- Normalization.h - one of the normalizations, as options choose ------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/LayerNorm.h"
#include "frontend/nn/RmsNorm.h"

#include <variant>

namespace axloom::nn {

/// What is divided by: the deviation from the mean, or the root mean square.
enum class NormKind { Layer, Rms };

/// LayerNorm or RmsNorm along axis A.
template <AnAxis A> class Normalization {
public:
  Normalization(const Scope &scope, const Size &size, NormKind kind, double epsilon,
                Where where = Where::current())
      : norm(kind == NormKind::Rms ? Either(RmsNorm<A>(scope, size, epsilon, where))
                                   : Either(LayerNorm<A>(scope, size, epsilon, where))) {}

  // x: [..., a] -> [..., a]
  template <HasAxes<A> X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    return std::visit([&](const auto &chosen) { return Value<AxesOf<X>, float>(chosen(x)); }, norm);
  }
  template <class X, class Error = misuse::Along<X, A>>
    requires misuse::Broken<Error>
  void operator()(const X &) const = delete;

private:
  using Either = std::variant<LayerNorm<A>, RmsNorm<A>>;
  Either norm;
};

} // namespace axloom::nn
