#include "frontend/train/Adam.h"

#include <algorithm>
#include <cmath>

namespace axloom::train {

static void requireSound(const Adam::Constants &constants,
                         const std::vector<AnyVariable> &parameters, const Where &where) {
  graph::requireBelowOne(constants.beta1, "beta1 of Adam", where); // something of each new
  graph::requireBelowOne(constants.beta2, "beta2 of Adam", where); // gradient must be left
  graph::requireAtLeast(constants.epsilon, 0, "epsilon of Adam", where);
  graph::requireAtLeast(constants.weightDecay, 0, "the weight decay of Adam", where);
  if (parameters.empty())
    throw GraphError(graph::place(where),
                     {"Adam has no parameters, so it would train nothing", "one or more", "none",
                      "declare the model's parameters first; program.parameters() are those that "
                      "are declared so far"});
}

Adam::Adam(const Scope &scope, std::vector<AnyVariable> trained, const Constants &constants,
           Where where)
    : parameters(std::move(trained)), constants(constants) {
  graph::CallSite site(scope.placeOr(where));
  requireSound(constants, parameters, where);
  step = scope.state<int>("step", init::zeros());
  for (const AnyVariable &parameter : parameters) {
    first.push_back(scope.scope("first").stateLike(parameter, init::zeros()));
    second.push_back(scope.scope("second").stateLike(parameter, init::zeros()));
  }
}

void Adam::minimize(const Tensor<> &loss, const Tensor<> &rate, Where where) const {
  graph::CallSite site(where);
  apply(gradient(loss, parameters), rate);
}

/// 1 - beta^t, which a moment that started at zero has gathered of its gradients. It is as exact
/// where beta^t is nearly 1, as in the first steps: with u = tanh(x / 2), 1 - exp(-x) is
/// 2 u / (1 + u).
static Tensor<> gathered(double beta, const Tensor<> &t) {
  constexpr double nothing = 1e-30; // as good as a beta of 0, which has no logarithm
  Tensor<> u = tanh(t * (-0.5 * std::log(std::max(beta, nothing))));
  return 2 * u / (1 + u);
}

void Adam::apply(const std::vector<AnyTensor> &gradients, const Tensor<> &rate, Where where) const {
  graph::CallSite site(where);
  if (gradients.size() != parameters.size())
    throw GraphError(graph::place(where),
                     {"Adam needs a gradient for each parameter",
                      std::to_string(parameters.size()) + " gradients",
                      std::to_string(gradients.size()),
                      "give it what gradient(loss, parameters) gives, in that order"});
  const auto [beta1, beta2, epsilon, weightDecay] = constants;
  IntTensor<> t = step + 1;
  Tensor<> firstShare = gathered(beta1, cast<float>(t));
  Tensor<> secondShare = gathered(beta2, cast<float>(t));

  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const AnyTensor &g = gradients[i];
    AnyTensor m = beta1 * first[i] + (1 - beta1) * g;
    AnyTensor v = beta2 * second[i] + (1 - beta2) * (g * g);
    assign(first[i], m);
    assign(second[i], v);
    AnyTensor kept = parameters[i];
    if (weightDecay > 0)
      kept = kept * (1 - rate * weightDecay);
    assign(parameters[i], kept - rate * (m / firstShare) / (sqrt(v / secondShare) + epsilon));
  }
  assign(step, t);
}

} // namespace axloom::train
