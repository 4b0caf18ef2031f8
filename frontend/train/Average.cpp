#include "frontend/train/Average.h"

#include <algorithm>
#include <cmath>

namespace axloom::train {

// It is as exact where decay^t is nearly 1, as in the first steps: with u = tanh(x / 2), 1 -
// exp(-x) is 2 u / (1 + u).
Tensor<> gathered(double decay, const Tensor<> &t) {
  constexpr double nothing = 1e-30; // as good as a decay of 0, which has no logarithm
  Tensor<> u = tanh(t * (-0.5 * std::log(std::max(decay, nothing))));
  return 2 * u / (1 + u);
}

Average::Average(const Scope &scope, std::vector<AnyVariable> averaged, double decay, Where where)
    : parameters(std::move(averaged)), decay(decay) {
  graph::CallSite site(scope.placeOr(where));
  graph::requireBelowOne(decay, "the decay of the average", where);
  if (parameters.empty())
    throw GraphError(graph::place(where),
                     {"the average has no parameters", "one or more", "none",
                      "declare the model's parameters first; program.parameters() are those that "
                      "are declared so far"});
  updates = scope.state<int>("updates", init::zeros());
  for (const AnyVariable &parameter : parameters)
    averages.push_back(scope.scope("parameters").stateLike(parameter, init::zeros()));
}

void Average::update(const std::vector<AnyTensor> &values, Where where) const {
  graph::CallSite site(where);
  if (values.size() != parameters.size())
    throw GraphError(graph::place(where),
                     {"the average needs a value for each parameter",
                      std::to_string(parameters.size()) + " values", std::to_string(values.size()),
                      "give it what Adam's minimize or apply gives, for the same parameters"});
  IntTensor<> t = updates + 1;
  Tensor<> weight = (1 - decay) / gathered(decay, cast<float>(t));
  for (std::size_t i = 0; i < values.size(); ++i)
    assign(averages[i], averages[i] + weight * (values[i] - averages[i]));
  assign(updates, t);
}

void Average::exchange(Where where) const {
  graph::CallSite site(where);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    assign(parameters[i], averages[i]);
    assign(averages[i], parameters[i]);
  }
}

} // namespace axloom::train
