//===- Rename.h - other names and other structure for axes -----------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, tests/frontend/misuse/rename.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Tensor.h"

namespace axloom {

namespace misuse {
// `From` must be there; the new axes `To` must not, unless they take From's place.
template <class X, class From, class... To>
using Restructure =
    FirstBroken<NotATensor<X>, Rule<lacks<From, AxesOf<X>>, operand_lacks_axis<From>>,
                Rule<contains<To, Without<AxesOf<X>, From>>, operand_already_has_axis<To>>...>;
template <class X, class A, class B, class To>
using Merge =
    FirstBroken<NotATensor<X>, Rule<std::same_as<A, B>, axis_is_named_twice<A>>,
                Rule<lacks<A, AxesOf<X>>, operand_lacks_axis<A>>,
                Rule<lacks<B, AxesOf<X>>, operand_lacks_axis<B>>,
                Rule<contains<To, Without<AxesOf<X>, A, B>>, operand_already_has_axis<To>>>;
template <class X, class A, class B, class C>
using Split = FirstBroken<Rule<std::same_as<B, C>, axis_is_named_twice<B>>,
                          Rule<!std::is_void_v<Restructure<X, A, B, C>>, Restructure<X, A, B, C>>>;
} // namespace misuse

/// x with axis From called To.
///   rename<Position, Key>(x)   // [batch, position, model] -> [batch, key, model]
template <AnAxis From, AnAxis To, class X>
  requires misuse::Sound<misuse::Restructure<X, From, To>>
auto rename(const X &x, Where where = Where::current()) {
  using Result = Value<Renamed<AxesOf<X>, From, To>, ElementOf<X>>;
  return Result(graph::emit("rename", {x.node()},
                            {{"from", graph::name<From>()}, {"to", graph::name<To>()}}, where));
}
template <AnAxis From, AnAxis To, class X, class Error = misuse::Restructure<X, From, To>>
  requires misuse::Broken<Error>
void rename(const X &) = delete;

/// Axis A as two axes, B the slower: index along A = b * inner + c.
///   split<Model, Heads, Depth>(x, 64)   // [batch, model: 512] -> [batch, heads: 8, depth: 64]
template <AnAxis A, AnAxis B, AnAxis C, class X>
  requires misuse::Sound<misuse::Split<X, A, B, C>>
auto split(const X &x, const Size &inner, Where where = Where::current()) {
  using Result = Value<UnionOf<Without<AxesOf<X>, A>, Axes<B, C>>, ElementOf<X>>;
  return Result(graph::emit(
      "split", {x.node()},
      {{"axis", graph::name<A>()}, {"into", graph::names<B, C>()}, {"inner", inner}}, where));
}
template <AnAxis A, AnAxis B, AnAxis C, class X, class Error = misuse::Split<X, A, B, C>>
  requires misuse::Broken<Error>
void split(const X &, const Size &) = delete;

/// Axes A and B, A the slower, as one axis C.
///   merge<Heads, Depth, Model>(x)   // [batch, heads: 8, depth: 64] -> [batch, model: 512]
template <AnAxis A, AnAxis B, AnAxis C, class X>
  requires misuse::Sound<misuse::Merge<X, A, B, C>>
auto merge(const X &x, Where where = Where::current()) {
  using Result = Value<UnionOf<Without<AxesOf<X>, A, B>, Axes<C>>, ElementOf<X>>;
  return Result(graph::emit("merge", {x.node()},
                            {{"axes", graph::names<A, B>()}, {"into", graph::name<C>()}}, where));
}
template <AnAxis A, AnAxis B, AnAxis C, class X, class Error = misuse::Merge<X, A, B, C>>
  requires misuse::Broken<Error>
void merge(const X &) = delete;

} // namespace axloom
