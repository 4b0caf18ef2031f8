//===- Positions.h - encodings of the order of a sequence ------------------------------===//
//
// Tests: tests/frontend/ModulesTest.cpp, ElementsTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"
#include "frontend/nn/Names.h"

#include <optional>

namespace axloom::nn {

/// PE(pos, 2i) = sin(pos / 10000^(2i / d)), PE(pos, 2i + 1) = cos(pos / 10000^(2i / d))
/// (Vaswani et al. 2017, section 3.5).
//  position: [...] of int -> [..., model]
template <AnAxis Model = nn::Model, class P>
auto sinusoids(const P &position, const Size &model, Where here = Where::current()) {
  graph::CallSite site(here);
  auto channel = iota<Model>(model);
  auto even = channel % 2 == 0;
  auto exponent = cast<float>(channel - channel % 2) / model; // 2i / d
  auto angle = cast<float>(position) * pow(10000.0f, -exponent);
  return where(even, sin(angle), cos(angle));
}

/// Queries or keys turned by angles that grow with their positions, so that scores depend on
/// distances alone (Su et al. 2021): channels i and i + d / 2 are the coordinates of a plane, and
/// turn by position / base^(2i / d). The depth d is an even number.
//  x: [..., depth], position: [...] of int -> [..., depth]
template <AnAxis Depth = nn::Depth, HasAxes<Depth> X, class P>
auto rotary(const X &x, const P &position, double base = 10000, Where here = Where::current()) {
  graph::CallSite site(here);
  graph::requireAtLeast(base, 1, "the base of rotary positions", here);
  Size depth = size<Depth>(x);
  if (!depth.isConstant() || depth.constant() % 2 != 0)
    throw GraphError(graph::place(here),
                     {"rotary positions turn pairs of channels", "an even number of them",
                      depth.print(), "give queries and keys an even depth"});
  using C = axloom::detail::Computed<ElementOf<X>>;
  std::int64_t half = depth.constant() / 2;
  auto exponent = cast<C>(iota<Depth>(depth) % half) / half; // 2i / d
  auto angle = cast<C>(position) * pow(C(base), -exponent);
  return axloom::detail::roundedOnce(x, [&](const auto &x) {
    auto turned = concat<Depth>(-slice<Depth>(x, half, half), slice<Depth>(x, 0, half));
    return x * cos(angle) + turned * sin(angle);
  });
}

/// The positions of a caller that tells none.
struct NoPositions {};

/// What may say where the elements of x are: whole numbers along axes that x has, or nothing.
template <class P, class X>
concept PositionsOf =
    std::same_as<P, NoPositions> ||
    (TensorLike<P> && std::same_as<ElementOf<P>, int> && subset<AxesOf<P>, AxesOf<X>>);

/// Turns queries and keys by their positions where the options of what it is a part of say so.
class Rotation {
public:
  explicit Rotation(std::optional<double> base, Where where = Where::current()) : base(base) {
    if (base)
      graph::requireAtLeast(*base, 1, "the base of rotary positions", where);
  }

  //  x: [..., depth], position: [...] of int -> [..., depth]
  template <AnAxis Depth, class X, class P>
  X turn(const X &x, const P &position, Where here = Where::current()) const {
    if (!base)
      return x;
    if constexpr (std::same_as<P, NoPositions>)
      throw GraphError(graph::place(here),
                       {"a layer that turns queries and keys has to know where they are",
                        "positions behind the other arguments", "none",
                        "give them, e.g. iota<Position>(size<Position>(x))"});
    else
      return rotary<Depth>(x, position, *base, here);
  }

private:
  std::optional<double> base;
};

/// A learned vector for each of the first `places` positions.
template <AnAxis Model = nn::Model> class LearnedPositions {
public:
  LearnedPositions(const Scope &scope, const Size &places, const Size &model,
                   const Initializer &initializer, Where where = Where::current()) {
    graph::CallSite site(scope.placeOr(where));
    table = scope.parameter<Place, Model>("weight", initializer, places, model);
  }

  // position: [...] of int -> [..., model]
  template <class P> auto operator()(const P &position, Where where = Where::current()) const {
    return gather<Place>(table, position, where);
  }

  Variable<SetOf<Place, Model>, float> table;
};

} // namespace axloom::nn
