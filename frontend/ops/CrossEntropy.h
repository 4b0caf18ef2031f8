//===- CrossEntropy.h - the loss of a classification -------------------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, tests/frontend/misuse/cross_entropy.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/ops/Pointwise.h"

namespace axloom {

namespace misuse {
template <class X, class L, class A>
using CrossEntropy = FirstBroken<
    NotATensor<X>, NotATensor<L>, Rule<lacks<A, AxesOf<X>>, logits_lack_axis<A>>,
    Rule<contains<A, AxesOf<L>>, labels_already_have_axis<A>>,
    Rule<!std::same_as<ElementOf<L>, int>, labels_must_be_integers_but_are<ElementOf<L>>>,
    Rule<!isFloat<ElementOf<X>>, operand_must_be_float_but_is<ElementOf<X>>>>;
} // namespace misuse

/// -sum over classes A of target * log softmax(logits), in nats, for each label. The target is one
/// at the label; with label smoothing it is mixed with the uniform distribution: (1 - smoothing) *
/// onehot(label) + smoothing / classes (Szegedy et al. 2016).
template <AnAxis A, class X, class L>
  requires misuse::Sound<misuse::CrossEntropy<X, L, A>>
auto cross_entropy(const X &logits, const L &labels, double smoothing = 0,
                   Where where = Where::current()) {
  using Result = Value<UnionOf<Without<AxesOf<X>, A>, AxesOf<L>>, ElementOf<X>>;
  graph::requireWithin(smoothing, 0, 1, "label smoothing", where);
  return Result(graph::emit("cross_entropy", {logits.node(), labels.node()},
                            {{"axis", graph::name<A>()}, {"smoothing", smoothing}}, where));
}
template <AnAxis A, class X, class L, class Error = misuse::CrossEntropy<X, L, A>>
  requires misuse::Broken<Error>
void cross_entropy(const X &, const L &, double = 0) = delete;

} // namespace axloom
