//===- Pointwise.h - functions of each element ----------------------------------===//
//
// The operators are in frontend/Tensor.h; these are the functions with names. Two operands are
// broadcast by name. Tests: tests/frontend/OpsTest.cpp, tests/frontend/ElementsTest.cpp,
// tests/frontend/misuse/
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Tensor.h"

#include <cmath>
#include <numbers>

namespace axloom {

namespace misuse {
template <class X>
using Float = FirstBroken<NotATensor<X>,
                          Rule<!isFloat<ElementOf<X>>, operand_must_be_float_but_is<ElementOf<X>>>>;
template <class X, class Y>
using Floats = FirstBroken<Rule<!std::is_void_v<Pair<X, Y>>, Pair<X, Y>>,
                           Rule<!isFloat<axloom::detail::Joint<X, Y>>,
                                operand_must_be_float_but_is<axloom::detail::Joint<X, Y>>>>;
} // namespace misuse

#define AXLOOM_UNARY(NAME, OP)                                                                     \
  template <class X>                                                                               \
    requires misuse::Sound<misuse::Float<X>>                                                       \
  auto NAME(const X &x, Where where = Where::current()) {                                          \
    return Value<AxesOf<X>, ElementOf<X>>(graph::emit(OP, {x.node()}, {}, where));                 \
  }                                                                                                \
  template <class X, class Error = misuse::Float<X>>                                               \
    requires(detail::concernsUs<X, X>) && misuse::Broken<Error>                                    \
  void NAME(const X &) = delete;

AXLOOM_UNARY(abs, "abs")
AXLOOM_UNARY(exp, "exp")
AXLOOM_UNARY(log, "log")
AXLOOM_UNARY(sqrt, "sqrt")
AXLOOM_UNARY(rsqrt, "rsqrt") // 1 / sqrt(x)
AXLOOM_UNARY(tanh, "tanh")
AXLOOM_UNARY(erf, "erf")
AXLOOM_UNARY(sin, "sin")
AXLOOM_UNARY(cos, "cos")
AXLOOM_UNARY(floor, "floor")
// x, which gradients take for a constant: x + stop_gradient(floor(x) - x) rounds down, and has the
// slope of x (the straight-through estimator: Bengio, Leonard & Courville 2013, section 4).
AXLOOM_UNARY(stop_gradient, "stop_gradient")
#undef AXLOOM_UNARY

#define AXLOOM_BINARY(NAME, OP, KIND)                                                              \
  template <class X, class Y>                                                                      \
    requires(TensorLike<X> || TensorLike<Y>) && misuse::Sound<misuse::KIND<X, Y>>                  \
  auto NAME(const X &x, const Y &y, Where where = Where::current()) {                              \
    using E = detail::Joint<X, Y>;                                                                 \
    return Broadcast<E, X, Y>(                                                                     \
        graph::emit(OP, {detail::nodeOf<E>(x, where), detail::nodeOf<E>(y, where)}, {}, where));   \
  }                                                                                                \
  template <class X, class Y, class Error = misuse::KIND<X, Y>>                                    \
    requires(detail::concernsUs<X, Y>) && misuse::Broken<Error>                                    \
  void NAME(const X &, const Y &) = delete;

AXLOOM_BINARY(pow, "pow", Floats) // x to the power of y, for positive x
AXLOOM_BINARY(maximum, "maximum", Numbers)
AXLOOM_BINARY(minimum, "minimum", Numbers)
#undef AXLOOM_BINARY

namespace misuse {
template <class X, class To> using Cast = FirstBroken<NotATensor<X>, NotAnElement<To>>;
}

/// The elements converted to E: float to int truncates, bool gives 0 or 1.
template <class E, class X>
  requires misuse::Sound<misuse::Cast<X, E>>
auto cast(const X &x, Where where = Where::current()) {
  using Result = Value<AxesOf<X>, E>;
  if constexpr (std::same_as<ElementOf<X>, E>)
    return Result(x);
  else
    return Result(graph::emit("cast", {x.node()}, {{"to", graph::elementOf<E>}}, where));
}
template <class E, class X, class Error = misuse::Cast<X, E>>
  requires misuse::Broken<Error>
void cast(const X &) = delete;

namespace detail {
/// What functions of elements E compute with: f32 for bf16.
template <class E> using Computed = std::conditional_t<std::same_as<E, bfloat16>, float, E>;

/// f(x); of bf16, computed in f32 and rounded once, since sums of nearly opposite terms would keep
/// few of its eight digits.
template <class X, class F> auto roundedOnce(const X &x, const F &f) {
  if constexpr (std::same_as<ElementOf<X>, bfloat16>)
    return cast<bfloat16>(f(cast<float>(x)));
  else
    return f(x);
}
} // namespace detail

/// The square root of a size, e.g. for the scale of attention; sqrt<double>(size) is for tensors of
/// double.
template <class E = float>
  requires isFloat<E>
Value<Axes<>, E> sqrt(const Size &size, Where where = Where::current()) {
  if (size.isConstant())
    return Value<Axes<>, E>(graph::constant(std::sqrt(static_cast<double>(size.constant())),
                                            graph::elementOf<E>, where));
  using C = detail::Computed<E>;
  return cast<E>(sqrt(Value<Axes<>, C>(detail::nodeOf<C>(size, where)), where), where);
}

/// max(x, 0)
template <class X>
  requires misuse::Sound<misuse::Float<X>>
auto relu(const X &x, Where where = Where::current()) {
  return maximum(x, 0, where);
}
template <class X, class Error = misuse::Float<X>>
  requires misuse::Broken<Error>
void relu(const X &) = delete;

/// 1 / (1 + exp(-x)).
template <class X>
  requires misuse::Sound<misuse::Float<X>>
auto sigmoid(const X &x, Where where = Where::current()) {
  graph::CallSite site(where);
  return detail::roundedOnce(x, [&](const auto &x) {
    using Single = std::remove_cvref_t<decltype(x)>;
    return Value<AxesOf<Single>, ElementOf<Single>>(graph::emit("sigmoid", {x.node()}, {}, where));
  });
}
template <class X, class Error = misuse::Float<X>>
  requires(detail::concernsUs<X, X>) && misuse::Broken<Error>
void sigmoid(const X &) = delete;

/// x sigmoid(x), also called swish (Hendrycks & Gimpel 2016; Ramachandran et al. 2017).
template <class X>
  requires misuse::Sound<misuse::Float<X>>
auto silu(const X &x, Where where = Where::current()) {
  graph::CallSite site(where);
  return detail::roundedOnce(x, [](const auto &x) { return x * sigmoid(x); });
}
template <class X, class Error = misuse::Float<X>>
  requires misuse::Broken<Error>
void silu(const X &) = delete;

/// x times the standard normal distribution's cumulative function (Hendrycks & Gimpel 2016).
template <class X>
  requires misuse::Sound<misuse::Float<X>>
auto gelu(const X &x, Where where = Where::current()) {
  graph::CallSite site(where);
  return detail::roundedOnce(
      x, [](const auto &x) { return x * 0.5 * (erf(x * (1 / std::numbers::sqrt2)) + 1); });
}
template <class X, class Error = misuse::Float<X>>
  requires misuse::Broken<Error>
void gelu(const X &) = delete;

/// gelu's approximation x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (the same paper,
/// section 2).
template <class X>
  requires misuse::Sound<misuse::Float<X>>
auto gelu_tanh(const X &x, Where where = Where::current()) {
  graph::CallSite site(where);
  return detail::roundedOnce(x, [scale = std::sqrt(2 / std::numbers::pi)](const auto &x) {
    return x * 0.5 * (tanh((x + x * x * x * 0.044715) * scale) + 1);
  });
}
template <class X, class Error = misuse::Float<X>>
  requires misuse::Broken<Error>
void gelu_tanh(const X &) = delete;

} // namespace axloom
