//===- Create.h - tensors from nothing: iota, constants, broadcast, random, dropout ---===//
//
// Tests: tests/frontend/OpsTest.cpp, ElementsTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/ops/Pointwise.h"
#include "frontend/ops/Where.h"

#include <optional>

namespace axloom {

/// 0, 1, 2, ... along axis A.
template <AnAxis A> IntTensor<A> iota(const Size &size, Where where = Where::current()) {
  graph::requireOneLength(size, "iota", "count within each entry: iota<A, Over>(size, entries)",
                          where);
  return IntTensor<A>(graph::emit("iota", {}, {{"axis", graph::name<A>()}, {"size", size}}, where));
}

/// 0, 1, 2, ... along axis A, from 0 again for each of the `entries` of axis Over: `size` is ragged
/// over it.
template <AnAxis A, AnAxis Over>
  requires misuse::Sound<misuse::FirstBroken<misuse::NamedTwice<A, Over>>>
IntTensor<Over, A> iota(const Size &size, const Size &entries, Where where = Where::current()) {
  graph::requireRagged(size, Over::axisName, "iota", where);
  return IntTensor<Over, A>(graph::emit(
      "iota", {}, {{"axis", graph::name<A>()}, {"size", size}, {"entries", entries}}, where));
}

template <AnAxis A, AnAxis Over, class Error = misuse::FirstBroken<misuse::NamedTwice<A, Over>>>
  requires misuse::Broken<Error>
void iota(const Size &, const Size &) = delete;

/// A number as a tensor without axes: constant(0.5f), constant(3), constant(true).
template <class S>
  requires std::is_arithmetic_v<S>
auto constant(S number, Where where = Where::current()) {
  using E = detail::ChosenElement<S>;
  return Value<Axes<>, E>(graph::constant(static_cast<double>(number), graph::elementOf<E>, where));
}

template <class S, class Error = misuse::operand_must_be_a_number_but_is<S>>
  requires(!std::is_arithmetic_v<S>)
void constant(const S &) = delete;

namespace misuse {
template <class X, class A>
using Repeat =
    FirstBroken<NotATensor<X>, Rule<contains<A, AxesOf<X>>, operand_already_has_axis<A>>>;
}

/// x repeated along a new axis A.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::Repeat<X, A>>
auto broadcast(const X &x, const Size &size, Where where = Where::current()) {
  using Result = Value<UnionOf<AxesOf<X>, Axes<A>>, ElementOf<X>>;
  graph::Shape shape = graph::shapeOf(x.node(), where);
  shape.axes.emplace_back(A::axisName, size);
  return Result(graph::emit("broadcast", {x.node()}, {{"shape", shape}}, where));
}
template <AnAxis A, class X, class Error = misuse::Repeat<X, A>>
  requires misuse::Broken<Error>
void broadcast(const X &, const Size &) = delete;

/// Where random numbers come from: a seed and the step that is being made. Each use of it in a
/// program is a site of its own, so that no two draws are alike; the same seed and step give the
/// same numbers again. Without a seed nothing is random: dropout leaves its input alone.
class Randomness {
public:
  Randomness() = default;
  Randomness(IntTensor<> seed, IntTensor<> step) : source(Source{seed, step}) {}

  explicit operator bool() const { return source.has_value(); }
  IntTensor<> seed(Where where = Where::current()) const { return existing(where).seed; }
  IntTensor<> step(Where where = Where::current()) const { return existing(where).step; }

private:
  struct Source {
    IntTensor<> seed, step;
  };
  const Source &existing(Where where) const {
    if (!source)
      throw GraphError(graph::place(where),
                       {"random numbers without a seed", "a Randomness(seed, step)",
                        "a default-constructed Randomness", "pass the function's seed"});
    return *source;
  }
  std::optional<Source> source;
};

/// Uniform numbers in [0, 1) with the axes and sizes of `like`.
template <class X>
  requires misuse::Sound<misuse::FirstBroken<misuse::NotATensor<X>>>
auto random(const X &like, const Randomness &randomness, Where where = Where::current()) {
  IntTensor<> seed = randomness.seed(where), step = randomness.step(where);
  graph::Shape shape = graph::shapeOf(like.node(), where);
  shape.element = graph::Element::f32;
  graph::Node site =
      graph::constant(static_cast<double>(graph::nextSite(where)), graph::Element::i32, where);
  return Value<AxesOf<X>, float>(
      graph::emit("random", {seed.node(), step.node(), site}, {{"shape", shape}}, where));
}

template <class X, class Error = misuse::FirstBroken<misuse::NotATensor<X>>>
  requires misuse::Broken<Error>
void random(const X &, const Randomness &) = delete;

namespace detail {
/// dropout that multiplies elements C.
template <class C, class X>
auto dropoutIn(const X &x, double rate, const Randomness &randomness, Where here) {
  using Result = Value<AxesOf<X>, ElementOf<X>>;
  graph::requireBelowOne(rate, "the dropout rate", here);
  if (rate == 0 || !randomness)
    return Result(x);
  graph::CallSite site(here);
  auto stays = random(x, randomness) >= rate;
  Value<Axes<>, C> scale(graph::constant(1 / (1 - rate), graph::elementOf<C>, here));
  return Result(cast<ElementOf<X>>(cast<C>(x) * where(stays, scale, 0)));
}
} // namespace detail

/// Each element is zero with probability `rate`, else divided by 1 - rate (Srivastava et al. 2014).
template <class X>
  requires misuse::Sound<misuse::Float<X>>
auto dropout(const X &x, double rate, const Randomness &randomness, Where here = Where::current()) {
  return detail::dropoutIn<detail::Computed<ElementOf<X>>>(x, rate, randomness, here);
}
template <class X, class Error = misuse::Float<X>>
  requires misuse::Broken<Error>
void dropout(const X &, double, const Randomness &) = delete;

} // namespace axloom
