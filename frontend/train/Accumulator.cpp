#include "frontend/train/Accumulator.h"

namespace axloom::train {

Accumulator::Accumulator(const Scope &scope, std::vector<AnyVariable> trained, int calls,
                         Where where)
    : parameters(std::move(trained)), calls(calls) {
  graph::CallSite site(scope.placeOr(where));
  graph::requireAtLeast(calls, 1, "the number of calls of a step", where);
  done = scope.state<int>("calls", init::zeros());
  for (const AnyVariable &parameter : parameters)
    sums.push_back(scope.scope("parameters").stateLike(parameter, init::zeros()));
}

Mask<> Accumulator::isDue(Where where) const {
  graph::CallSite site(where);
  return done % calls == calls - 1;
}

std::vector<AnyTensor> Accumulator::add(const std::vector<AnyTensor> &gradients,
                                        Where where) const {
  graph::CallSite site(where);
  if (gradients.size() != parameters.size())
    throw GraphError(graph::place(where),
                     {"the accumulator needs a gradient for each parameter",
                      std::to_string(parameters.size()) + " gradients",
                      std::to_string(gradients.size()),
                      "give it what gradient(loss, parameters) gives, in that order"});
  Mask<> due = isDue();
  std::vector<AnyTensor> means;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    AnyTensor sum = sums[i] + gradients[i];
    assign(sums[i], axloom::where(due, 0.0, sum));
    means.push_back(sum / calls);
  }
  assign(done, done + 1);
  return means;
}

} // namespace axloom::train
