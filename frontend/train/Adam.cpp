#include "frontend/train/Adam.h"

#include "frontend/train/Average.h"

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

std::vector<AnyTensor> Adam::minimize(const Tensor<> &loss, const Tensor<> &rate,
                                      Where where) const {
  graph::CallSite site(where);
  return apply(gradient(loss, parameters), rate);
}

static bool isDecayed(const Adam::Constants &constants, const AnyVariable &parameter) {
  return constants.weightDecay > 0 && (!constants.decays || constants.decays(parameter.name()));
}

std::vector<AnyTensor> Adam::apply(const std::vector<AnyTensor> &gradients, const Tensor<> &rate,
                                   Where where) const {
  graph::CallSite site(where);
  if (gradients.size() != parameters.size())
    throw GraphError(graph::place(where),
                     {"Adam needs a gradient for each parameter",
                      std::to_string(parameters.size()) + " gradients",
                      std::to_string(gradients.size()),
                      "give it what gradient(loss, parameters) gives, in that order"});
  const auto &[beta1, beta2, epsilon, weightDecay, decays] = constants;
  IntTensor<> t = step + 1;
  Tensor<> firstShare = gathered(beta1, cast<float>(t));
  Tensor<> secondShare = gathered(beta2, cast<float>(t));
  std::vector<AnyTensor> values;

  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const AnyTensor &g = gradients[i];
    AnyTensor m = beta1 * first[i] + (1 - beta1) * g;
    AnyTensor v = beta2 * second[i] + (1 - beta2) * (g * g);
    assign(first[i], m);
    assign(second[i], v);
    AnyTensor kept = parameters[i];
    if (isDecayed(constants, parameters[i]))
      kept = kept * (1 - rate * weightDecay);
    AnyTensor next = kept - rate * (m / firstShare) / (sqrt(v / secondShare) + epsilon);
    assign(parameters[i], next);
    values.push_back(next);
  }
  assign(step, t);
  return values;
}

bool exceptBiasesAndNorms(const std::string &parameter) {
  std::string name = "." + parameter; // so that every name has a scope
  std::size_t last = name.rfind('.');
  return name.substr(last) != ".bias" && !name.substr(0, last).ends_with("norm");
}

} // namespace axloom::train
