//===- Tensor.h - tensors whose type is a set of axes --------------------------===//
//
//   Tensor<Batch, Position, Model> x;    f32
//   IntTensor<Batch, Position> ids;      i32
//   Mask<Batch, Position> real;          i1
//
// The order of axes means nothing: permuted sets are one type. A tensor is a handle of a value in
// the graph; copying it is free. Operators combine tensors by name: the result has the union of the
// operands' axes. Tests: tests/frontend/OpsTest.cpp, tests/frontend/ComparisonTest.cpp,
// tests/frontend/misuse/
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axis.h"
#include "frontend/Graph.h"
#include "frontend/Misuse.h"

namespace axloom {

template <class Set, class Element> class Value;

template <class... As> using Tensor = Value<SetOf<As...>, float>;
template <class... As> using IntTensor = Value<SetOf<As...>, int>;
template <class... As> using Mask = Value<SetOf<As...>, bool>;

/// A tensor whose axes only the graph knows.
using AnyTensor = Value<Dynamic, float>;

/// Numbers that may stand where a tensor without axes may.
template <class S>
concept Scalar = std::is_arithmetic_v<S> || std::same_as<S, Size>;

namespace detail {
// Specialized, because the operators below ask while Value is still incomplete.
template <class X>
inline constexpr bool isTensor =
    requires(const X &x) { []<class Set, class E>(const Value<Set, E> &) {}(x); };
template <class Set, class E> inline constexpr bool isTensor<Value<Set, E>> = true;
} // namespace detail

template <class X>
concept TensorLike = detail::isTensor<X>;

template <class X>
concept Operand = TensorLike<X> || Scalar<X>;

/// x has all of the axes As.
template <class X, class... As>
concept HasAxes = TensorLike<X> && (!lacks<As, typename X::axes> && ...);

namespace detail {

template <class X> struct AxesTrait {
  using type = Axes<>;
};
template <TensorLike X> struct AxesTrait<X> {
  using type = typename X::axes;
};
template <class Set, class E> struct AxesTrait<Value<Set, E>> {
  using type = Set;
};
template <class X> struct ElementTrait {
  using type = X;
};
template <TensorLike X> struct ElementTrait<X> {
  using type = typename X::element;
};
template <class Set, class E> struct ElementTrait<Value<Set, E>> {
  using type = E;
};

// The element type of x op y: a scalar takes the tensor's.
template <class X, class Y>
using Joint = typename ElementTrait<std::conditional_t<TensorLike<X>, X, Y>>::type;

/// An operand of an operator together with the place of the call: operators have no room for a
/// defaulted argument, but the conversion of their operand has.
template <class V> struct Located {
  const V &value;
  Where where;
  template <std::derived_from<V> X>
  Located(const X &x, Where here = Where::current()) : value(x), where(here) {}
};

/// The same for an operand that the operator gives a new value; no variable.
template <class V> struct Target {
  V &value;
  Where where;
  template <std::same_as<V> X>
  Target(X &x, Where here = Where::current()) : value(x), where(here) {}
};

template <class S, class E>
inline constexpr bool scalarFits = std::same_as<S, Size>   ? !std::same_as<E, bool>
                                   : std::same_as<E, bool> ? std::same_as<S, bool>
                                   : std::same_as<E, int>  ? std::is_integral_v<S>
                                                           : true;

/// The node of an operand; a scalar becomes a constant of the element type.
template <class E, class X> graph::Node nodeOf(const X &x, const Where &where) {
  if constexpr (TensorLike<X>)
    return x.node();
  else if constexpr (!std::same_as<X, Size>)
    return graph::constant(static_cast<double>(x), graph::elementOf<E>, where);
  else if (x.isConstant())
    return graph::constant(static_cast<double>(x.constant()), graph::elementOf<E>, where);
  else {
    graph::requireOneLength(x, "the value", "pass what depends on each length as an argument",
                            where);
    if constexpr (std::same_as<E, float>)
      return graph::emit("size_of", {}, {{"size", x}}, where);
    else
      return graph::emit("size_of", {}, {{"size", x}, {"to", graph::elementOf<E>}}, where);
  }
}

} // namespace detail

template <class X> using AxesOf = typename detail::AxesTrait<X>::type;
template <class X> using ElementOf = typename detail::ElementTrait<X>::type;

namespace detail {
template <class... Xs> struct AllAxes {
  using type = Axes<>;
};
template <class X, class... Xs> struct AllAxes<X, Xs...> {
  using type = UnionOf<typename AllAxes<Xs...>::type, typename AxesTrait<X>::type>;
};
} // namespace detail

/// The type of a pointwise result: the union of the operands' axes, with element type E.
template <class E, class... Xs> using Broadcast = Value<typename detail::AllAxes<Xs...>::type, E>;

/// A tensor with some elements hidden by a mask; see ops/Where.h.
template <class M, class X> struct Masked;
template <class X> inline constexpr bool isMasked = false;
template <class M, class X> inline constexpr bool isMasked<Masked<M, X>> = true;

template <class E>
inline constexpr bool isFloat = std::floating_point<E> || std::same_as<E, bfloat16>;

namespace misuse {

template <class X>
using NotATensor =
    Rule<!TensorLike<X>,
         std::conditional_t<isMasked<X>, masked_value_is_only_for_softmax_max_sum_mean<X>,
                            operand_is_not_a_tensor<X>>>;
template <class X>
using NotAnOperand = std::conditional_t<Scalar<X>, Rule<false, X>, NotATensor<X>>;

template <class X, class Y,
          bool Bad = (TensorLike<X> && Scalar<Y> && !axloom::detail::scalarFits<Y, ElementOf<X>>)>
using UnfitScalar = Rule<Bad, scalar_does_not_fit_element<Y, ElementOf<X>>>;

template <class E>
using NotAnElement = Rule<!graph::AnElement<E>, element_type_is_not_supported<E>>;

template <class X, class Y>
using DifferentElements =
    Rule<TensorLike<X> && TensorLike<Y> && !std::same_as<ElementOf<X>, ElementOf<Y>>,
         operands_have_different_elements<ElementOf<X>, ElementOf<Y>>>;

/// What can be wrong with two operands of a pointwise operation.
template <class X, class Y>
using Pair = FirstBroken<NotAnOperand<X>, NotAnOperand<Y>, DifferentElements<X, Y>,
                         UnfitScalar<X, Y>, UnfitScalar<Y, X>>;
template <class X, class Y>
using Numbers = FirstBroken<
    Rule<!std::is_void_v<Pair<X, Y>>, Pair<X, Y>>,
    Rule<std::same_as<axloom::detail::Joint<X, Y>, bool>, operand_must_be_a_number_but_is<bool>>>;
template <class X, class Y>
using Booleans = FirstBroken<Rule<!std::is_void_v<Pair<X, Y>>, Pair<X, Y>>,
                             Rule<!std::same_as<axloom::detail::Joint<X, Y>, bool>,
                                  operand_must_be_boolean_but_is<axloom::detail::Joint<X, Y>>>>;

/// What can be wrong with the operand of - and of !.
template <class X>
using Number =
    FirstBroken<NotATensor<X>,
                Rule<std::same_as<ElementOf<X>, bool>, operand_must_be_a_number_but_is<bool>>>;
template <class X>
using Boolean = FirstBroken<NotATensor<X>, Rule<!std::same_as<ElementOf<X>, bool>,
                                                operand_must_be_boolean_but_is<ElementOf<X>>>>;

// The rule that no axis is given twice.
template <class... As> struct Twice {
  using type = Rule<false, void>;
};
template <class A, class... As>
struct Twice<A, As...>
    : std::conditional_t<axloom::detail::contains<A, Axes<As...>>,
                         std::type_identity<Rule<true, axis_is_named_twice<A>>>, Twice<As...>> {};
template <class... As> using NamedTwice = typename Twice<As...>::type;

// The reason why a tensor with axes Found is no tensor with axes Wanted: the first axis that is
// missing, else the first that is too many.
template <class Wanted, class Found> struct Difference {
  using type = void;
};
template <class... Ws, class... Fs> struct Difference<Axes<Ws...>, Axes<Fs...>> {
  using type = FirstBroken<Rule<lacks<Ws, Axes<Fs...>>, value_lacks_axis<Ws>>...,
                           Rule<lacks<Fs, Axes<Ws...>>, value_has_extra_axis<Fs>>...>;
};
template <class Wanted, class Found> using WrongAxes = typename Difference<Wanted, Found>::type;

// x op= y needs a result that is a tensor as x is.
template <class X, class Y, class Joined = typename axloom::detail::AllAxes<X, Y>::type>
using Compound = FirstBroken<
    NotATensor<X>, Rule<!std::is_void_v<Numbers<X, Y>>, Numbers<X, Y>>,
    Rule<!std::same_as<X, Value<AxesOf<X>, ElementOf<X>>>, variable_changes_only_by_assign<X>>,
    Rule<!std::is_void_v<WrongAxes<AxesOf<X>, Joined>>, WrongAxes<AxesOf<X>, Joined>>,
    Rule<!std::same_as<AxesOf<X>, Joined>, axes_of_right_operand_are_known_only_to_the_graph<Y>>>;

} // namespace misuse

namespace detail {
/// A number, or a tensor whose axes come after those of Set.
template <class X, class Set>
concept ScalarOrAfter = Scalar<X> || (TensorLike<X> && precedes<Set, AxesOf<X>>);

template <class X, class Y>
inline constexpr bool concernsUs = isTensor<X> || isTensor<Y> || isMasked<X> || isMasked<Y>;
} // namespace detail

/// A tensor over the axes of Set. Element: float, int (i32), bool (i1), double or bfloat16.
template <class Set, class Element> class Value {
public:
  using axes = Set;
  using element = Element;

  Value() = default;
  explicit Value(graph::Node node) : handle(node) {}

  /// From the same set written in another order, or to a tensor of dynamic axes.
  template <class Other>
    requires misuse::Sound<misuse::WrongAxes<Set, Other>> && (!std::same_as<Set, Other>) &&
             (!std::same_as<Other, Dynamic>)
  Value(const Value<Other, Element> &other) : handle(other.node()) {}
  template <class Other, class Error = misuse::WrongAxes<Set, Other>>
    requires misuse::Broken<Error>
  Value(const Value<Other, Element> &other) = delete;

  graph::Node node() const { return handle; }

// Each operator: this tensor with what RIGHT allows, and what LEFT allows with this tensor.
#define AXLOOM_OPERATOR_BETWEEN(LEFT, SYMBOL, RIGHT, RULES, RESULT, EMIT)                          \
  template <RIGHT Y>                                                                               \
    requires misuse::Sound<misuse::RULES<Value, Y>>                                                \
  friend Broadcast<RESULT, Value, Y> operator SYMBOL(detail::Located<Value> x, const Y &y) {       \
    graph::Node a = x.value.node(), b = detail::nodeOf<Element>(y, x.where);                       \
    return Broadcast<RESULT, Value, Y>(EMIT);                                                      \
  }                                                                                                \
  template <LEFT X>                                                                                \
    requires misuse::Sound<misuse::RULES<X, Value>>                                                \
  friend Broadcast<RESULT, Value, X> operator SYMBOL(const X &y, detail::Located<Value> x) {       \
    graph::Node a = detail::nodeOf<Element>(y, x.where), b = x.value.node();                       \
    return Broadcast<RESULT, Value, X>(EMIT);                                                      \
  }
// Any two operands.
#define AXLOOM_OPERATOR(SYMBOL, RULES, RESULT, EMIT)                                               \
  AXLOOM_OPERATOR_BETWEEN(Scalar, SYMBOL, class, RULES, RESULT, EMIT)
// C++ also tries == and != with their operands swapped. So that no two candidates are equally good,
// tensors of the same axes have one operator that converts both, and of different axes only the
// ones that precede have operators, for either side.
#define AXLOOM_EQUALITY(SYMBOL, EMIT)                                                              \
  friend Broadcast<bool, Value> operator SYMBOL(detail::Located<Value> x,                          \
                                                detail::Located<Value> y)                          \
    requires misuse::Sound<misuse::Numbers<Value, Value>>                                          \
  {                                                                                                \
    graph::Node a = x.value.node(), b = y.value.node();                                            \
    return Broadcast<bool, Value>(EMIT);                                                           \
  }                                                                                                \
  AXLOOM_OPERATOR_BETWEEN(detail::ScalarOrAfter<Set>, SYMBOL, detail::ScalarOrAfter<Set>, Numbers, \
                          bool, EMIT)

#define AXLOOM_EMIT(OP) graph::emit(OP, {a, b}, {}, x.where)
#define AXLOOM_COMPARE(PREDICATE)                                                                  \
  graph::emit("compare", {a, b}, {{"predicate", std::string(PREDICATE)}}, x.where)
  AXLOOM_OPERATOR(+, Numbers, Element, AXLOOM_EMIT("add"))
  AXLOOM_OPERATOR(-, Numbers, Element, AXLOOM_EMIT("sub"))
  AXLOOM_OPERATOR(*, Numbers, Element, AXLOOM_EMIT("mul"))
  AXLOOM_OPERATOR(/, Numbers, Element, AXLOOM_EMIT("div"))
  AXLOOM_OPERATOR(%, Numbers, Element, AXLOOM_EMIT("rem"))
  AXLOOM_OPERATOR(<, Numbers, bool, AXLOOM_COMPARE("lt"))
  AXLOOM_OPERATOR(<=, Numbers, bool, AXLOOM_COMPARE("le"))
  AXLOOM_OPERATOR(>, Numbers, bool, AXLOOM_COMPARE("gt"))
  AXLOOM_OPERATOR(>=, Numbers, bool, AXLOOM_COMPARE("ge"))
  AXLOOM_EQUALITY(==, AXLOOM_COMPARE("eq"))
  AXLOOM_EQUALITY(!=, AXLOOM_COMPARE("ne"))
  AXLOOM_OPERATOR(&&, Booleans, bool, AXLOOM_EMIT("and"))
  AXLOOM_OPERATOR(||, Booleans, bool, AXLOOM_EMIT("or"))
#undef AXLOOM_COMPARE
#undef AXLOOM_EMIT
#undef AXLOOM_EQUALITY
#undef AXLOOM_OPERATOR
#undef AXLOOM_OPERATOR_BETWEEN

// x += y is x = x + y.
#define AXLOOM_COMPOUND(SYMBOL, OP)                                                                \
  template <class Y>                                                                               \
    requires misuse::Sound<misuse::Compound<Value, Y>>                                             \
  friend Value &operator SYMBOL(detail::Target<Value> x, const Y &y) {                             \
    graph::Node b = detail::nodeOf<Element>(y, x.where);                                           \
    x.value.handle = graph::emit(OP, {x.value.node(), b}, {}, x.where);                            \
    return x.value;                                                                                \
  }
  AXLOOM_COMPOUND(+=, "add")
  AXLOOM_COMPOUND(-=, "sub")
  AXLOOM_COMPOUND(*=, "mul")
  AXLOOM_COMPOUND(/=, "div")
#undef AXLOOM_COMPOUND

  friend Value operator-(detail::Located<Value> x)
    requires(!std::same_as<Element, bool>)
  {
    if constexpr (std::integral<Element>)
      return Value(graph::emit(
          "sub", {graph::constant(0, graph::elementOf<Element>, x.where), x.value.node()}, {},
          x.where));
    else
      return Value(graph::emit("neg", {x.value.node()}, {}, x.where));
  }
  friend Value operator!(detail::Located<Value> x)
    requires std::same_as<Element, bool>
  {
    return Value(graph::emit("not", {x.value.node()}, {}, x.where));
  }

private:
  graph::Node handle;
};

// What the compiler says about wrong operands.
#define AXLOOM_WRONG_OPERATOR(SYMBOL, RULES)                                                       \
  template <class X, class Y, class Error = misuse::RULES<X, Y>>                                   \
    requires(detail::concernsUs<X, Y>) && misuse::Broken<Error>                                    \
  void operator SYMBOL(const X &, const Y &) = delete;
AXLOOM_WRONG_OPERATOR(+, Numbers)
AXLOOM_WRONG_OPERATOR(-, Numbers)
AXLOOM_WRONG_OPERATOR(*, Numbers)
AXLOOM_WRONG_OPERATOR(/, Numbers)
AXLOOM_WRONG_OPERATOR(%, Numbers)
AXLOOM_WRONG_OPERATOR(<, Numbers)
AXLOOM_WRONG_OPERATOR(<=, Numbers)
AXLOOM_WRONG_OPERATOR(>, Numbers)
AXLOOM_WRONG_OPERATOR(>=, Numbers)
AXLOOM_WRONG_OPERATOR(==, Numbers)
AXLOOM_WRONG_OPERATOR(!=, Numbers)
AXLOOM_WRONG_OPERATOR(&&, Booleans)
AXLOOM_WRONG_OPERATOR(||, Booleans)
#undef AXLOOM_WRONG_OPERATOR
#define AXLOOM_WRONG_COMPOUND(SYMBOL)                                                              \
  template <class X, class Y, class Error = misuse::Compound<X, Y>>                                \
    requires(detail::concernsUs<X, Y>) && misuse::Broken<Error>                                    \
  void operator SYMBOL(X &, const Y &) = delete;
AXLOOM_WRONG_COMPOUND(+=)
AXLOOM_WRONG_COMPOUND(-=)
AXLOOM_WRONG_COMPOUND(*=)
AXLOOM_WRONG_COMPOUND(/=)
#undef AXLOOM_WRONG_COMPOUND
template <class X, class Error = misuse::Number<X>>
  requires(detail::concernsUs<X, X>) && misuse::Broken<Error>
void operator-(const X &) = delete;
template <class X, class Error = misuse::Boolean<X>>
  requires(detail::concernsUs<X, X>) && misuse::Broken<Error>
void operator!(const X &) = delete;

/// How long axis A of x is: a number or a symbol.
template <AnAxis A, TensorLike X>
  requires(!lacks<A, AxesOf<X>>)
Size size(const X &x, Where where = Where::current()) {
  return graph::sizeOf(x.node(), A::axisName, where);
}
template <AnAxis A, class X,
          class Error =
              misuse::FirstBroken<misuse::NotATensor<X>,
                                  misuse::Rule<lacks<A, AxesOf<X>>, misuse::operand_lacks_axis<A>>>>
  requires misuse::Broken<Error>
Size size(const X &) = delete;

} // namespace axloom
