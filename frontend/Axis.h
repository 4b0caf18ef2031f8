//===- Axis.h - axes as C++ types and the algebra of axis sets ---------------===//
//
// An axis is a type with a name:  struct Batch : axloom::Axis<"batch"> {};
// The type of a tensor carries the *set* of its axes. Sets are kept sorted by name, so that equal
// sets are equal types whatever the order in which a program writes them. Everything here happens
// while the model's C++ is compiled. Test: tests/frontend/AxisTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace axloom {

/// A string literal as a template argument.
template <std::size_t N> struct FixedString {
  char text[N];
  constexpr FixedString(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i)
      text[i] = literal[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace detail {
// Letters, digits and underscores, with no digit first: what the text of a program can hold.
constexpr bool isIdentifier(std::string_view name) {
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && !isDigit(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return isLetter(c) || isDigit(c); });
}
} // namespace detail

namespace misuse {
// What the compiler prints about another name: NOLINTNEXTLINE(readability-identifier-naming)
template <FixedString Name>
concept name_is_an_identifier = axloom::detail::isIdentifier(Name.view());
} // namespace misuse

struct AxisBase {};

/// The base of every axis.
template <FixedString Name>
  requires misuse::name_is_an_identifier<Name>
struct Axis : AxisBase {
  static constexpr std::string_view axisName = Name.view();
};

template <class A>
concept AnAxis = std::derived_from<A, AxisBase>;

/// A set of axes, sorted by name when made by SetOf and the algebra below.
template <class... As> struct Axes {};

/// The axes of a tensor are known only when the graph is built (code that is generic over all
/// parameters, like an optimizer); the graph builder does the checks that C++ cannot do.
struct Dynamic {};

namespace detail {

// contains: A is known to be in the set.
template <class A, class Set> inline constexpr bool contains = false;
template <class A, class... As>
inline constexpr bool contains<A, Axes<As...>> = (std::is_same_v<A, As> || ...);

// lacks: A is known not to be in the set.
template <class A, class Set> inline constexpr bool lacks = !contains<A, Set>;
template <class A> inline constexpr bool lacks<A, Dynamic> = false;

// Insert<before, after, A>: A put into its place behind `before` and among `after`.
template <class Before, class After, class A> struct Insert;
template <class... Before, class A> struct Insert<Axes<Before...>, Axes<>, A> {
  using type = Axes<Before..., A>;
};
template <class... Before, class... After, class A>
struct Insert<Axes<Before...>, Axes<A, After...>, A> {
  using type = Axes<Before..., A, After...>;
};
template <class... Before, class First, class... After, class A>
struct Insert<Axes<Before...>, Axes<First, After...>, A>
    : std::conditional_t<(A::axisName < First::axisName),
                         std::type_identity<Axes<Before..., A, First, After...>>,
                         Insert<Axes<Before..., First>, Axes<After...>, A>> {};

template <class Set, class Other> struct Union;
template <class Set> struct Union<Set, Axes<>> {
  using type = Set;
};
template <class... As, class B, class... Bs>
struct Union<Axes<As...>, Axes<B, Bs...>>
    : Union<typename Insert<Axes<>, Axes<As...>, B>::type, Axes<Bs...>> {};
template <class... Bs> struct Union<Dynamic, Axes<Bs...>> {
  using type = Dynamic;
};
template <> struct Union<Dynamic, Axes<>> {
  using type = Dynamic;
};
template <class Set> struct Union<Set, Dynamic> {
  using type = Dynamic;
};

// Remove<kept, rest, removed>.
template <class Kept, class Rest, class Removed> struct Remove;
template <class Kept, class Removed> struct Remove<Kept, Axes<>, Removed> {
  using type = Kept;
};
template <class... Kept, class A, class... As, class Removed>
struct Remove<Axes<Kept...>, Axes<A, As...>, Removed>
    : Remove<std::conditional_t<contains<A, Removed>, Axes<Kept...>, Axes<Kept..., A>>, Axes<As...>,
             Removed> {};
template <class Removed> struct Remove<Axes<>, Dynamic, Removed> {
  using type = Dynamic;
};

} // namespace detail

/// The set of the given axes: sorted, each once.
template <class... As> using SetOf = typename detail::Union<Axes<>, Axes<As...>>::type;

/// All axes of either set.
template <class Set, class Other> using UnionOf = typename detail::Union<Set, Other>::type;

/// The set without the axes As.
template <class Set, class... As>
using Without = typename detail::Remove<Axes<>, Set, Axes<As...>>::type;

/// The set with axis From called To.
template <class Set, class From, class To> using Renamed = UnionOf<Without<Set, From>, Axes<To>>;

template <class A, class Set> inline constexpr bool contains = detail::contains<A, Set>;
template <class A, class Set> inline constexpr bool lacks = detail::lacks<A, Set>;

/// Every axis of Set is in Other; not decided (true) when one of them is Dynamic.
template <class Set, class Other> inline constexpr bool subset = true;
template <class... As, class Other>
inline constexpr bool subset<Axes<As...>, Other> = (!lacks<As, Other> && ...);

/// The same axes, in any order.
template <class Set, class Other>
inline constexpr bool sameSet = subset<Set, Other> && subset<Other, Set>;

/// The names of axes in the order given.
template <class... As>
inline constexpr std::array<std::string_view, sizeof...(As)> axisNames = {As::axisName...};

/// An order of sets: of two different ones, one precedes the other. By the names of their axes;
/// Dynamic comes last.
template <class Set, class Other>
inline constexpr bool precedes = !std::same_as<Set, Dynamic> && std::same_as<Other, Dynamic>;
template <class... As, class... Bs>
inline constexpr bool precedes<Axes<As...>, Axes<Bs...>> =
    std::ranges::lexicographical_compare(axisNames<As...>, axisNames<Bs...>);

} // namespace axloom
