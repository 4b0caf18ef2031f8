//===- Contract.h - sums of products over named axes ----------------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, tests/frontend/misuse/contract.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Tensor.h"

namespace axloom {

namespace misuse {
template <class X, class Y, class... As>
using Contract =
    FirstBroken<NotATensor<X>, NotATensor<Y>, Rule<sizeof...(As) == 0, no_axis_is_given>,
                Rule<lacks<As, AxesOf<X>>, left_operand_lacks_axis<As>>...,
                Rule<lacks<As, AxesOf<Y>>, right_operand_lacks_axis<As>>..., NamedTwice<As...>,
                DifferentElements<X, Y>,
                Rule<!isFloat<ElementOf<X>>, operand_must_be_float_but_is<ElementOf<X>>>>;
} // namespace misuse

/// The sum over the axes As of x * y. Any other axis that both have is walked together.
///   contract<Depth>(q, k)   // [batch, query, depth], [batch, key, depth] -> [batch, query, key]
template <AnAxis... As, class X, class Y>
  requires misuse::Sound<misuse::Contract<X, Y, As...>>
auto contract(const X &x, const Y &y, Where where = Where::current()) {
  using Result = Value<Without<UnionOf<AxesOf<X>, AxesOf<Y>>, As...>, ElementOf<X>>;
  return Result(
      graph::emit("contract", {x.node(), y.node()}, {{"over", graph::names<As...>()}}, where));
}
template <AnAxis... As, class X, class Y, class Error = misuse::Contract<X, Y, As...>>
  requires misuse::Broken<Error>
void contract(const X &, const Y &) = delete;

} // namespace axloom
