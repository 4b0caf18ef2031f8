// Three models that no example has, from installed headers alone. Each has the functions
//   train_step: a step of Adam -> loss
//   descend: a step down the gradient, so that what changes is the gradient -> loss
#pragma once

#include "frontend/Axloom.h"
#include "frontend/train/Adam.h"

namespace generality {

void mixer(axloom::Program &program, axloom::Options &options);
void latents(axloom::Program &program, axloom::Options &options);
void grouped(axloom::Program &program, axloom::Options &options);

/// `loss` makes the loss from a function's arguments; all parameters are declared by now.
template <class Loss> void addTraining(axloom::Program &program, const Loss &loss) {
  std::vector<axloom::AnyVariable> parameters = program.parameters();
  axloom::train::Adam adam(program.scope("adam"), parameters, {});
  program.function("train_step", [&](axloom::Function &f) {
    axloom::Tensor<> value = loss(f);
    adam.minimize(value, axloom::constant(0.003));
    f.result<>("loss", value);
  });
  program.function("descend", [&](axloom::Function &f) {
    axloom::Tensor<> value = loss(f);
    std::vector<axloom::AnyTensor> gradients = axloom::gradient(value, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      axloom::assign(parameters[i], parameters[i] - gradients[i]);
    f.result<>("loss", value);
  });
}

} // namespace generality
