//===- Softmax.h - softmax and log-softmax along an axis ------------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, ElementsTest.cpp, tests/frontend/misuse/softmax.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/ops/Pointwise.h"
#include "frontend/ops/Reduce.h"
#include "frontend/ops/Where.h"

namespace axloom {

/// exp(x) / sum exp(x) along axis A. Of a masked tensor the hidden elements give zero, and a row
/// with nothing visible gives zeros.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::Reduce<X, A>>
auto softmax(const X &x, Where where = Where::current()) {
  graph::Node mask{.absent = true};
  if constexpr (isMasked<X>)
    mask = x.mask.node();
  using Result = Value<detail::MaybeMaskedAxes<X>, detail::MaybeMaskedElement<X>>;
  return Result(
      graph::emit("softmax", {detail::visibleNode(x), mask}, {{"axis", graph::name<A>()}}, where));
}
template <AnAxis A, class X, class Error = misuse::Reduce<X, A>>
  requires misuse::Broken<Error>
void softmax(const X &) = delete;

/// log softmax(x) along axis A.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::ReduceUnmasked<X, A>>
auto log_softmax(const X &x, Where where = Where::current()) {
  graph::CallSite site(where);
  return detail::roundedOnce(x, [](const auto &x) {
    auto centred = x - max<A>(x);
    return centred - log(sum<A>(exp(centred)));
  });
}
template <AnAxis A, class X, class Error = misuse::ReduceUnmasked<X, A>>
  requires misuse::Broken<Error>
void log_softmax(const X &) = delete;

} // namespace axloom
