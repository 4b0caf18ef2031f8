//===- Linear.h - y = W x + b -------------------------------------------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

#include <optional>

namespace axloom::nn {

/// A linear map from the axes In to the axes Out, each one axis or a list: Linear<Model, Hidden>,
/// Linear<Model, Axes<Heads, Depth>>. The weight is [out..., in...] in memory and in checkpoints.
template <class In, class Out> class Linear;

template <class A> struct AsList {
  using type = Axes<A>;
};
template <class... As> struct AsList<Axes<As...>> {
  using type = Axes<As...>;
};

/// One size or a list of sizes, in the order of the axes.
struct Sizes {
  std::vector<Size> list;
  template <std::convertible_to<Size> S> Sizes(const S &size) : list{Size(size)} {}
  Sizes(std::initializer_list<Size> sizes) : list(sizes) {}
};

namespace detail {

template <class In, class Out> class LinearOver;
template <class... In, class... Out> class LinearOver<Axes<In...>, Axes<Out...>> {
public:
  /// inputs and outputs: the sizes of In and of Out.
  LinearOver(const Scope &scope, const Sizes &inputs, const Sizes &outputs, bool bias = true,
             Where where = Where::current())
      : LinearOver(scope, inputs, outputs, bias, 1, where) {}
  /// The same for one of several maps whose results are added up: the sum keeps the variance.
  LinearOver(const Scope &scope, const Sizes &inputs, const Sizes &outputs, bool bias, int addends,
             Where where = Where::current()) {
    graph::CallSite site(scope.placeOr(where));
    check(inputs, sizeof...(In), where);
    check(outputs, sizeof...(Out), where);
    weight = makeWeight(scope, inputs.list, outputs.list, addends, std::index_sequence_for<In...>(),
                        std::index_sequence_for<Out...>());
    if (bias)
      offset = makeOffset(scope, outputs.list, std::index_sequence_for<Out...>());
  }

  // x: [..., in...] -> [..., out...]
  template <HasAxes<In...> X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto y = contract<In...>(x, weight);
    return offset ? y + *offset : y;
  }

  template <class X, class Error = misuse::Along<X, In...>>
    requires misuse::Broken<Error>
  void operator()(const X &) const = delete;

  Variable<SetOf<Out..., In...>, float> weight;
  std::optional<Variable<SetOf<Out...>, float>> offset;

private:
  static_assert(((!contains<In, Axes<Out...>>) && ...),
                "the axes of a linear map's input and output must differ: rename the input's");

  static void check(const Sizes &sizes, std::size_t axes, const Where &where) {
    if (sizes.list.size() != axes)
      throw GraphError(graph::place(where), {"a linear map needs one size for each of its axes",
                                             std::to_string(axes) + " sizes",
                                             std::to_string(sizes.list.size()) + " sizes",
                                             "list them in the order of the axes, e.g. {8, 64}"});
  }
  template <std::size_t... I, std::size_t... O>
  static auto makeWeight(const Scope &scope, const std::vector<Size> &inputs,
                         const std::vector<Size> &outputs, int addends, std::index_sequence<I...>,
                         std::index_sequence<O...>) {
    auto initializer =
        init::xavier(static_cast<double>((inputs[I].coefficient() * ... * addends)),
                     static_cast<double>((outputs[O].coefficient() * ... * addends)));
    return scope.parameter<Out..., In...>("weight", initializer, outputs[O]..., inputs[I]...);
  }
  template <std::size_t... O>
  static auto makeOffset(const Scope &scope, const std::vector<Size> &outputs,
                         std::index_sequence<O...>) {
    return scope.parameter<Out...>("bias", init::zeros(), outputs[O]...);
  }
};

} // namespace detail

template <class In, class Out>
class Linear : public detail::LinearOver<typename AsList<In>::type, typename AsList<Out>::type> {
public:
  using detail::LinearOver<typename AsList<In>::type, typename AsList<Out>::type>::LinearOver;
};

} // namespace axloom::nn
