//===- Along.h - slices, joins, padding, shifts, updates and look-ups along an axis ------===//
//
// Tests: tests/frontend/OpsTest.cpp, tests/frontend/misuse/
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Tensor.h"

namespace axloom {

namespace misuse {
template <class X, class... As>
using Along = FirstBroken<NotATensor<X>, Rule<lacks<As, AxesOf<X>>, operand_lacks_axis<As>>...>;
// Each operand has all axes of the other.
template <class Left, class Right> struct Unlike {
  using type = void;
};
template <class... Ls, class... Rs> struct Unlike<Axes<Ls...>, Axes<Rs...>> {
  using type = FirstBroken<Rule<lacks<Ls, Axes<Rs...>>, right_operand_lacks_axis<Ls>>...,
                           Rule<lacks<Rs, Axes<Ls...>>, left_operand_lacks_axis<Rs>>...>;
};
template <class X, class Y, class A, class Unlikeness = typename Unlike<AxesOf<X>, AxesOf<Y>>::type>
using Concat =
    FirstBroken<NotATensor<X>, NotATensor<Y>, Rule<lacks<A, AxesOf<X>>, left_operand_lacks_axis<A>>,
                Rule<lacks<A, AxesOf<Y>>, right_operand_lacks_axis<A>>, DifferentElements<X, Y>,
                Rule<!std::is_void_v<Unlikeness>, Unlikeness>>;
template <class T, class I, class A>
using Gather = FirstBroken<
    NotATensor<T>, NotATensor<I>, Rule<lacks<A, AxesOf<T>>, table_lacks_axis<A>>,
    Rule<contains<A, AxesOf<I>>, indices_already_have_axis<A>>,
    Rule<!std::same_as<ElementOf<I>, int>, indices_must_be_integers_but_are<ElementOf<I>>>>;
template <class S, class I, class V, class A>
using Update = FirstBroken<NotATensor<S>, NotAnOperand<I>, NotATensor<V>,
                           Rule<lacks<A, AxesOf<S>>, state_lacks_axis<A>>,
                           Rule<contains<A, AxesOf<V>>, value_already_has_axis<A>>,
                           Rule<!std::integral<ElementOf<I>> || std::same_as<ElementOf<I>, bool>,
                                index_must_be_an_integer_but_is<ElementOf<I>>>,
                           DifferentElements<S, V>>;
} // namespace misuse

/// x[start : start + length] along axis A, whose size is a number.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::Along<X, A>>
auto slice(const X &x, std::int64_t start, std::int64_t length, Where where = Where::current()) {
  using Result = Value<AxesOf<X>, ElementOf<X>>;
  return Result(graph::emit("slice", {x.node()},
                            {{"axis", graph::name<A>()}, {"start", start}, {"size", length}},
                            where));
}
template <AnAxis A, class X, class Error = misuse::Along<X, A>>
  requires misuse::Broken<Error>
void slice(const X &, std::int64_t, std::int64_t) = delete;

/// y behind x along axis A, whose sizes are numbers; their other axes are the same.
///   concat<Position>(first, patches)   // [batch, position: 1], [batch, position: 196]
template <AnAxis A, class X, class Y>
  requires misuse::Sound<misuse::Concat<X, Y, A>>
auto concat(const X &x, const Y &y, Where where = Where::current()) {
  using Result = Value<UnionOf<AxesOf<X>, AxesOf<Y>>, ElementOf<X>>;
  return Result(graph::emit("concat", {x.node(), y.node()}, {{"axis", graph::name<A>()}}, where));
}
template <AnAxis A, class X, class Y, class Error = misuse::Concat<X, Y, A>>
  requires misuse::Broken<Error>
void concat(const X &, const Y &) = delete;

/// x with `low` elements before and `high` behind it along axis A, each equal to `fill`. The size
/// of A is a number.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::Along<X, A>>
auto pad(const X &x, std::int64_t low, std::int64_t high, double fill = 0,
         Where where = Where::current()) {
  using Result = Value<AxesOf<X>, ElementOf<X>>;
  double value = graph::requireElement(fill, graph::elementOf<ElementOf<X>>, where);
  return Result(graph::emit(
      "pad", {x.node()},
      {{"axis", graph::name<A>()}, {"low", low}, {"high", high}, {"value", value}}, where));
}
template <AnAxis A, class X, class Error = misuse::Along<X, A>>
  requires misuse::Broken<Error>
void pad(const X &, std::int64_t, std::int64_t, double = 0) = delete;

/// y[i] = x[i - by] along axis A, and `fill` where that is outside; the size stays.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::Along<X, A>>
auto shift(const X &x, std::int64_t by, double fill = 0, Where where = Where::current()) {
  using Result = Value<AxesOf<X>, ElementOf<X>>;
  double value = graph::requireElement(fill, graph::elementOf<ElementOf<X>>, where);
  return Result(graph::emit("shift", {x.node()},
                            {{"axis", graph::name<A>()}, {"by", by}, {"value", value}}, where));
}
template <AnAxis A, class X, class Error = misuse::Along<X, A>>
  requires misuse::Broken<Error>
void shift(const X &, std::int64_t, double = 0) = delete;

/// table[indices] along axis A: the embedding look-up. A leaves the table, the indices' axes join.
///   gather<Vocabulary>(table, ids)   // [vocabulary, model], [batch, position] -> [.., model]
template <AnAxis A, class T, class I>
  requires misuse::Sound<misuse::Gather<T, I, A>>
auto gather(const T &table, const I &indices, Where where = Where::current()) {
  using Result = Value<UnionOf<Without<AxesOf<T>, A>, AxesOf<I>>, ElementOf<T>>;
  return Result(
      graph::emit("gather", {table.node(), indices.node()}, {{"axis", graph::name<A>()}}, where));
}
template <AnAxis A, class T, class I, class Error = misuse::Gather<T, I, A>>
  requires misuse::Broken<Error>
void gather(const T &, const I &) = delete;

/// state with its slice at `index` along axis A replaced by `value`; done in place where the old
/// state is not needed any more (a key/value cache).
template <AnAxis A, class S, class I, class V>
  requires misuse::Sound<misuse::Update<S, I, V, A>>
auto update(const S &state, const I &index, const V &value, Where where = Where::current()) {
  using Result = Value<AxesOf<S>, ElementOf<S>>;
  return Result(graph::emit("update",
                            {state.node(), detail::nodeOf<int>(index, where), value.node()},
                            {{"axis", graph::name<A>()}}, where));
}
template <AnAxis A, class S, class I, class V, class Error = misuse::Update<S, I, V, A>>
  requires misuse::Broken<Error>
void update(const S &, const I &, const V &) = delete;

} // namespace axloom
