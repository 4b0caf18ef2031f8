//===- Reduce.h - sum, mean, max, min and argmax over axes ----------------------===//
//
// Tests: tests/frontend/OpsTest.cpp, ElementsTest.cpp, tests/frontend/misuse/reduce.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/ops/Pointwise.h"
#include "frontend/ops/Where.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace axloom {

namespace detail {
template <class X> struct Unmasked {
  using axes = AxesOf<X>;
  using element = ElementOf<X>;
};
template <class M, class X> struct Unmasked<Masked<M, X>> {
  using axes = UnionOf<typename M::axes, typename X::axes>;
  using element = typename X::element;
};
/// The axes and elements of a tensor or of a masked tensor.
template <class X> using MaybeMaskedAxes = typename Unmasked<X>::axes;
template <class X> using MaybeMaskedElement = typename Unmasked<X>::element;

/// The node behind a tensor or a masked tensor.
template <class X> auto visibleNode(const X &x) { return x.node(); }
template <class M, class X> auto visibleNode(const Masked<M, X> &masked) { return masked.x.node(); }
} // namespace detail

namespace misuse {
// A tensor or a masked tensor of floats that has the axes As.
template <class X, class... As>
using Reduce =
    FirstBroken<Rule<!TensorLike<X> && !isMasked<X>, operand_is_not_a_tensor<X>>,
                Rule<sizeof...(As) == 0, no_axis_is_given>,
                Rule<lacks<As, axloom::detail::MaybeMaskedAxes<X>>, operand_lacks_axis<As>>...,
                NamedTwice<As...>,
                Rule<!isFloat<axloom::detail::MaybeMaskedElement<X>>,
                     operand_must_be_float_but_is<axloom::detail::MaybeMaskedElement<X>>>>;
template <class X, class... As>
using ReduceUnmasked =
    FirstBroken<NotATensor<X>, Rule<!std::is_void_v<Reduce<X, As...>>, Reduce<X, As...>>>;
} // namespace misuse

namespace detail {
template <class... As, class X> auto reduce(const char *kind, const X &x, const Where &where) {
  using Result = Value<Without<AxesOf<X>, As...>, ElementOf<X>>;
  return Result(graph::emit("reduce", {x.node()},
                            {{"kind", std::string(kind)}, {"over", graph::names<As...>()}}, where));
}
} // namespace detail

/// The sum over the axes As; of a masked tensor, over what is visible.
template <AnAxis... As, class X>
  requires misuse::Sound<misuse::Reduce<X, As...>>
auto sum(const X &x, Where here = Where::current()) {
  if constexpr (isMasked<X>)
    return detail::reduce<As...>("sum", where(x.mask, x.x, 0, here), here);
  else
    return detail::reduce<As...>("sum", x, here);
}
template <AnAxis... As, class X, class Error = misuse::Reduce<X, As...>>
  requires misuse::Broken<Error>
void sum(const X &) = delete;

namespace detail {
// The lowest finite number of an element type.
template <class E> constexpr double lowest = std::numeric_limits<E>::lowest();
template <> inline constexpr double lowest<bfloat16> = -0x1.fep127;
} // namespace detail

/// The largest element; of a masked tensor with nothing visible, the lowest finite number.
template <AnAxis... As, class X>
  requires misuse::Sound<misuse::Reduce<X, As...>>
auto max(const X &x, Where here = Where::current()) {
  if constexpr (isMasked<X>) {
    double lowest = detail::lowest<detail::MaybeMaskedElement<X>>;
    return detail::reduce<As...>("max", where(x.mask, x.x, lowest, here), here);
  } else {
    return detail::reduce<As...>("max", x, here);
  }
}
template <AnAxis... As, class X, class Error = misuse::Reduce<X, As...>>
  requires misuse::Broken<Error>
void max(const X &) = delete;

/// The smallest element.
template <AnAxis... As, class X>
  requires misuse::Sound<misuse::ReduceUnmasked<X, As...>>
auto min(const X &x, Where here = Where::current()) {
  return detail::reduce<As...>("min", x, here);
}
template <AnAxis... As, class X, class Error = misuse::ReduceUnmasked<X, As...>>
  requires misuse::Broken<Error>
void min(const X &) = delete;

namespace detail {
/// roundedOnce of a masked tensor.
template <class M, class X, class F> auto roundedOnce(const Masked<M, X> &masked, const F &f) {
  return roundedOnce(masked.x, [&](const auto &x) { return f(where(masked.mask, x)); });
}

/// The length of each entry as a number of the element type.
template <class E>
graph::Node lengthsAs(const Size &lengths, const Size &entries, const Where &here) {
  if constexpr (std::same_as<E, float>)
    return graph::emit("size_of", {}, {{"size", lengths}, {"entries", entries}}, here);
  else
    return graph::emit("size_of", {},
                       {{"size", lengths}, {"entries", entries}, {"to", graph::elementOf<E>}},
                       here);
}

/// How many elements x has along the axes, of which some may be ragged: for each entry of a batch,
/// or for all where it is among the axes. `shown`: of what a mask with these numbers shows. Of
/// dynamic axes, only the graph knows which the mask has, so along those that it lacks it shows
/// all.
template <class E>
graph::Node countAlong(std::optional<graph::Node> shown, graph::Node x,
                       const std::vector<std::string> &axes, const Where &here) {
  std::vector<std::string> over; // what is summed; at once, since ragged axes go with their entries
  Size lengths = 1, others = 1;
  for (const std::string &axis : axes)
    if (shown && graph::hasAxis(*shown, axis, here))
      over.push_back(axis);
    else if (Size size = graph::sizeOf(x, axis, here); !size.ragged().empty())
      lengths = lengths * size;
  const std::string entries = lengths.ragged();
  std::optional<graph::Node> count = shown;
  if (!entries.empty()) {
    graph::Node each = lengthsAs<E>(lengths, graph::sizeOf(x, entries, here), here);
    count = count ? graph::emit("mul", {*count, each}, {}, here) : each;
  }
  for (const std::string &axis : axes)
    if (std::ranges::count(over, axis) > 0)
      continue;
    else if (axis == entries)
      over.push_back(axis);
    else if (Size size = graph::sizeOf(x, axis, here); size.ragged().empty())
      others = others * size;
  if (!over.empty())
    count = graph::emit("reduce", {*count}, {{"kind", std::string("sum")}, {"over", over}}, here);
  if (others != Size(1))
    count = graph::emit("mul", {*count, nodeOf<E>(others, here)}, {}, here);
  return *count;
}
} // namespace detail

/// The mean; of a masked or ragged tensor over what is there, and zero where that is nothing.
template <AnAxis... As, class X>
  requires misuse::Sound<misuse::Reduce<X, As...>>
auto mean(const X &x, Where here = Where::current()) {
  graph::CallSite site(here);
  return detail::roundedOnce(x, [&](const auto &x) {
    using Single = std::remove_cvref_t<decltype(x)>;
    using E = detail::MaybeMaskedElement<Single>;
    auto total = sum<As...>(x);
    std::optional<graph::Node> shown;
    if constexpr (isMasked<Single>)
      shown = cast<E>(x.mask).node();
    else if ((size<As>(x).ragged().empty() && ...))
      return total / (size<As>(x) * ...);
    graph::Node count =
        detail::countAlong<E>(shown, detail::visibleNode(x), {graph::name<As>()...}, here);
    count = graph::emit("maximum", {count, detail::nodeOf<E>(1, here)}, {}, here);
    return decltype(total / Size(1))(graph::emit("div", {total.node(), count}, {}, here));
  });
}
template <AnAxis... As, class X, class Error = misuse::Reduce<X, As...>>
  requires misuse::Broken<Error>
void mean(const X &) = delete;

/// The first index along A that holds the largest element.
template <AnAxis A, class X>
  requires misuse::Sound<misuse::ReduceUnmasked<X, A>>
auto argmax(const X &x, Where here = Where::current()) {
  using Result = Value<Without<AxesOf<X>, A>, int>;
  return Result(graph::emit("argmax", {x.node()}, {{"axis", graph::name<A>()}}, here));
}
template <AnAxis A, class X, class Error = misuse::ReduceUnmasked<X, A>>
  requires misuse::Broken<Error>
void argmax(const X &) = delete;

} // namespace axloom
