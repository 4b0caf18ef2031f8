//===- LayerNorm.h - layer normalization ------------------------------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, tests/frontend/misuse/layer_norm.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/ops/Pointwise.h"

namespace axloom {

namespace misuse {
template <class X, class S, class O, class A>
using LayerNorm =
    FirstBroken<NotATensor<X>, NotATensor<S>, NotATensor<O>,
                Rule<lacks<A, AxesOf<X>>, operand_lacks_axis<A>>,
                Rule<!sameSet<AxesOf<S>, Axes<A>>, scale_must_have_only_axis<A>>,
                Rule<!sameSet<AxesOf<O>, Axes<A>>, offset_must_have_only_axis<A>>,
                DifferentElements<X, S>, DifferentElements<X, O>,
                Rule<!isFloat<ElementOf<X>>, operand_must_be_float_but_is<ElementOf<X>>>>;
} // namespace misuse

/// (x - mean) / sqrt(variance + epsilon) * scale + offset along axis A (Ba et al. 2016).
template <AnAxis A, class X, class S, class O>
  requires misuse::Sound<misuse::LayerNorm<X, S, O, A>>
auto layer_norm(const X &x, const S &scale, const O &offset, double epsilon = 1e-5,
                Where where = Where::current()) {
  using Result = Value<AxesOf<X>, ElementOf<X>>;
  graph::requireAtLeast(epsilon, 0, "epsilon", where);
  auto results = graph::emitAll("layer_norm", {x.node(), scale.node(), offset.node()},
                                {{"axis", graph::name<A>()}, {"epsilon", epsilon}}, 3, where);
  return Result(results.front()); // the others, mean and 1 / deviation, are for the adjoint
}
template <AnAxis A, class X, class S, class O, class Error = misuse::LayerNorm<X, S, O, A>>
  requires misuse::Broken<Error>
void layer_norm(const X &, const S &, const O &, double = 1e-5) = delete;

} // namespace axloom
