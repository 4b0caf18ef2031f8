//===- Variable.h - tensors that outlive a call -------------------------------------===//
//
// A variable can stand wherever a tensor can: it means the value at the function's entry. `assign`
// gives it the value that later calls see. Test: tests/frontend/ProgramTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Tensor.h"

namespace axloom {

template <class Set, class Element> class Variable : public Value<Set, Element> {
public:
  Variable() = default;
  explicit Variable(graph::Node node) : Value<Set, Element>(node) {}
  /// The same variable where only the graph knows the axes.
  template <class Other>
    requires std::same_as<Set, Dynamic> && (!std::same_as<Other, Dynamic>)
  Variable(const Variable<Other, Element> &other) : Value<Set, Element>(other.node()) {}

  std::string name(Where where = Where::current()) const {
    return graph::nameOf(this->node(), where);
  }
};

/// A parameter or state whose axes only the graph knows.
using AnyVariable = Variable<Dynamic, float>;

namespace misuse {
template <class Set, class E, class V>
using Assign =
    FirstBroken<NotATensor<V>, DifferentElements<Value<Set, E>, V>,
                Rule<!std::is_void_v<WrongAxes<Set, AxesOf<V>>>, WrongAxes<Set, AxesOf<V>>>>;
}

/// Gives the variable its value for after the function under construction.
template <class Set, class E, class V>
  requires misuse::Sound<misuse::Assign<Set, E, V>>
void assign(const Variable<Set, E> &variable, const V &value, Where where = Where::current()) {
  graph::assign(variable.node(), value.node(), where);
}
template <class Set, class E, class V, class Error = misuse::Assign<Set, E, V>>
  requires misuse::Broken<Error>
void assign(const Variable<Set, E> &, const V &) = delete;

namespace misuse {
template <class M>
using When =
    FirstBroken<NotATensor<M>,
                Rule<!std::same_as<ElementOf<M>, bool>, mask_must_be_boolean_but_is<ElementOf<M>>>,
                Rule<!std::is_void_v<WrongAxes<Axes<>, AxesOf<M>>>, WrongAxes<Axes<>, AxesOf<M>>>>;
} // namespace misuse

/// Builds what `body` builds, of which assignments count in calls in which the mask holds; in
/// others the variables keep their values.
///   when(steps % 100 == 0, [&] { assign(kept, weight); });
template <class M, class Body>
  requires misuse::Sound<misuse::When<M>>
void when(const M &mask, const Body &body, Where where = Where::current()) {
  graph::Condition condition(mask.node(), where);
  body();
}
template <class M, class Body, class Error = misuse::When<M>>
  requires misuse::Broken<Error>
void when(const M &, const Body &) = delete;

namespace misuse {
/// `X` may also be a list of variables.
template <class L, class X>
using Gradient = FirstBroken<
    NotATensor<L>, Rule<!sameSet<AxesOf<L>, Axes<>>, loss_must_have_no_axes_but_is<L>>,
    Rule<!isFloat<ElementOf<L>>, operand_must_be_float_but_is<ElementOf<L>>>,
    Rule<TensorLike<X> && !isFloat<ElementOf<X>>, operand_must_be_float_but_is<ElementOf<X>>>>;
} // namespace misuse

/// The gradient of the loss with respect to a tensor or a parameter.
template <class L, TensorLike X>
  requires misuse::Sound<misuse::Gradient<L, X>>
auto gradient(const L &loss, const X &wrt, Where where = Where::current()) {
  return Value<AxesOf<X>, ElementOf<X>>(graph::gradient(loss.node(), {wrt.node()}, where).front());
}
/// The gradients with respect to many parameters, in their order.
template <class L>
  requires misuse::Sound<misuse::Gradient<L, std::vector<AnyVariable>>>
std::vector<AnyTensor> gradient(const L &loss, const std::vector<AnyVariable> &parameters,
                                Where where = Where::current()) {
  std::vector<graph::Node> wrt;
  wrt.reserve(parameters.size());
  for (const AnyVariable &parameter : parameters)
    wrt.push_back(parameter.node());
  std::vector<AnyTensor> gradients;
  for (graph::Node node : graph::gradient(loss.node(), wrt, where))
    gradients.push_back(AnyTensor(node));
  return gradients;
}
template <class L, class X, class Error = misuse::Gradient<L, X>>
  requires misuse::Broken<Error>
void gradient(const L &, const X &) = delete;

} // namespace axloom
