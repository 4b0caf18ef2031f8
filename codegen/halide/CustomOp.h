//===- CustomOp.h - An op of your own -------------------------------------------===//
//
//   const axloom::CustomOp<float(float, float)> swiglu({
//       .name = "swiglu",
//       .body = [](auto x, auto gate) { return x * gate / (1 + exp(-gate)); },       // Halide
//       .reference = [](double x, double gate) { return x * gate / (1 + std::exp(-gate)); },
//       .adjoint = [](auto x, auto gate, auto y, auto g) { return std::array{..., ...}; }});
//   ...
//   auto hidden = swiglu(contract<Model>(x, up), contract<Model>(x, gate));
//
// The op works element by element, on operands broadcast by name: what reads other elements is
// graph code around it. A generator that includes this needs Halide's headers (LIBS Halide::Halide
// in axloom_add_model). frontend/README.md says more; an example is examples/own_op. Test:
// tests/codegen/halide/CustomOpTest.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "codegen/halide/HalideBody.h"
#include "frontend/CustomOp.h"
#include "frontend/Program.h"

#include <array>
#include <tuple>

namespace axloom {

namespace misuse {
// NOLINTBEGIN(readability-identifier-naming)
template <int Expected, int Found> struct number_of_operands_is {};
template <class Expected, class Found> struct operand_must_have_elements_but_has {};
// NOLINTEND(readability-identifier-naming)

/// What can be wrong with an operand that is to have elements E.
template <class E, class X>
using CustomOperand = FirstBroken<
    NotAnOperand<X>,
    Rule<TensorLike<X> && !std::same_as<ElementOf<X>, E>,
         operand_must_have_elements_but_has<E, ElementOf<X>>>,
    Rule<Scalar<X> && !axloom::detail::scalarFits<X, E>, scalar_does_not_fit_element<X, E>>>;
} // namespace misuse

namespace detail {

/// Stands for an operand that is not given.
struct Absent {};

/// T, for each element type of a list.
template <class T, class E> using For = T;

/// The type that an element is computed in: bf16 in f32, rounded at the end.
template <class E> Halide::Type computedIn() {
  if constexpr (std::same_as<E, bool>)
    return Halide::Bool();
  else if constexpr (std::same_as<E, int>)
    return Halide::Int(32);
  else
    return Halide::Float(std::same_as<E, double> ? 64 : 32);
}

/// Gathers what is given for operands Es, and what is wrong with it.
template <class Es, class Xs> struct CustomCall;
template <class... Es, class... Xs> struct CustomCall<std::tuple<Es...>, std::tuple<Xs...>> {
  static constexpr int given = (0 + ... + !std::same_as<Xs, Absent>);
  static constexpr int expected = sizeof...(Es);

  template <class Error> using Because = misuse::Rule<!std::is_void_v<Error>, Error>;
  template <std::size_t... I>
  static auto firstBroken(std::index_sequence<I...>) -> std::type_identity<misuse::FirstBroken<
      misuse::Rule<given != expected, misuse::number_of_operands_is<expected, given>>,
      Because<misuse::CustomOperand<Es, std::tuple_element_t<I, std::tuple<Xs...>>>>...>>;
  using Error = typename decltype(firstBroken(std::index_sequence_for<Es...>()))::type;

  template <std::size_t... I>
  static std::vector<graph::Node>
  nodes(std::index_sequence<I...>, const std::tuple<const Xs &...> &operands, const Where &where) {
    return {nodeOf<Es>(std::get<I>(operands), where)...};
  }
};

} // namespace detail

template <class Signature> class CustomOp;

/// An op with a result of elements Result from operands of these elements: float, double, bfloat16
/// (all of one kind, that of the result), int and bool.
template <class Result, class... Operands> class CustomOp<Result(Operands...)> {
  static constexpr std::size_t most = 6;
  static constexpr std::size_t floats = (0 + ... + isFloat<Operands>);
  static_assert(sizeof...(Operands) <= most, "a custom op has at most six operands");
  static_assert(floats > 0 && ((!isFloat<Operands> || std::same_as<Operands, Result>) && ...),
                "the result of a custom op has the element type of its floating-point operands");

public:
  using Any = Value<Dynamic, Result>;
  /// One for each floating-point operand.
  using Adjoints = std::conditional_t<floats == 1, Any, std::array<Any, floats>>;

  struct Definition {
    /// The place of the definition is the line that says it.
    graph::Named name;
    /// The element of the result, given those of the operands. What bf16 tensors hold is widened.
    std::function<Halide::Expr(detail::For<Halide::Expr, Operands>...)> body;
    /// The same in double precision; masks are 0 or 1.
    std::function<double(detail::For<double, Operands>...)> reference;
    /// From the operands, the result y and its adjoint g. Where an operand was broadcast, its
    /// adjoint is summed by itself.
    std::function<Adjoints(Value<Dynamic, Operands>..., Any, Any)> adjoint = nullptr;
  };

  explicit CustomOp(const Definition &given)
      : definition(untyped(given, std::index_sequence_for<Operands...>())) {}

  template <class A, class B = detail::Absent, class C = detail::Absent, class D = detail::Absent,
            class E = detail::Absent, class F = detail::Absent>
    requires misuse::Sound<
        typename detail::CustomCall<std::tuple<Operands...>, std::tuple<A, B, C, D, E, F>>::Error>
  auto operator()(const A &a, const B &b = {}, const C &c = {}, const D &d = {}, const E &e = {},
                  const F &f = {}, Where where = Where::current()) const {
    using Call = detail::CustomCall<std::tuple<Operands...>, std::tuple<A, B, C, D, E, F>>;
    std::vector<graph::Node> nodes =
        Call::nodes(std::index_sequence_for<Operands...>(), std::tie(a, b, c, d, e, f), where);
    return Broadcast<Result, A, B, C, D, E, F>(graph::emitCustom(definition, nodes, where));
  }
  template <class A, class B = detail::Absent, class C = detail::Absent, class D = detail::Absent,
            class E = detail::Absent, class F = detail::Absent,
            class Error = typename detail::CustomCall<std::tuple<Operands...>,
                                                      std::tuple<A, B, C, D, E, F>>::Error>
    requires misuse::Broken<Error>
  void operator()(const A &, const B & = {}, const C & = {}, const D & = {}, const E & = {},
                  const F & = {}) const = delete;

private:
  template <std::size_t... I>
  static graph::OpDefinition untyped(const Definition &given, std::index_sequence<I...>);

  graph::OpDefinition definition;
};

template <class Result, class... Operands>
template <std::size_t... I>
graph::OpDefinition CustomOp<Result(Operands...)>::untyped(const Definition &given,
                                                           std::index_sequence<I...>) {
  using graph::Node;
  graph::OpDefinition made{given.name.text, {graph::elementOf<Operands>...}, nullptr, {}, {},
                           given.name.where};
  if (given.body)
    made.body = std::make_shared<codegen::HalideBody>(
        std::vector<Halide::Type>{detail::computedIn<Operands>()...}, detail::computedIn<Result>(),
        [body = given.body](const std::vector<Halide::Expr> &x) { return body(x[I]...); });
  if (given.reference)
    made.reference = [reference = given.reference](std::span<const double> x) {
      return reference(x[I]...);
    };
  if (given.adjoint)
    made.adjoint = [rule = given.adjoint](const std::vector<Node> &x, Node y, Node g) {
      Adjoints found = rule(Value<Dynamic, Operands>(x[I])..., Any(y), Any(g));
      std::vector<Node> nodes;
      std::size_t next = 0;
      auto take = [&] {
        if constexpr (floats == 1)
          return found.node();
        else
          return found[next++].node();
      };
      (nodes.push_back(isFloat<Operands> ? take() : Node()), ...);
      return nodes;
    };
  return made;
}

} // namespace axloom
