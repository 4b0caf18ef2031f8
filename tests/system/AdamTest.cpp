// Moments start at zero, and Adam takes that bias away: as long as a gradient stays the same, every
// step moves a parameter by the rate, the first one too. Before that, weight decay makes those
// parameters smaller that it concerns.
#include "frontend/train/Adam.h"
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gtest/gtest.h>

using namespace axloom;

namespace {
struct Row : Axis<"row"> {};

/// The loss is the sum of weight * x.
void addStep(Program &program, const train::Adam::Constants &constants) {
  auto weight = program.parameter<Row>("weight", init::zeros(), 4);
  train::Adam adam(program.scope("adam"), program.parameters(), constants);
  program.function("step", [&](Function &f) {
    adam.minimize(sum<Row>(weight * f.argument<float, Row>("x", 4)), constant(1.0f));
  });
}
} // namespace

TEST(Adam, StepsAgainstAConstantGradientAreEqual) {
  const train::Adam::Constants all[] = {
      {}, {.beta1 = 0.9, .beta2 = 0.98}, {.beta1 = 0, .beta2 = 0.9999}, {.beta1 = 0.5, .beta2 = 0}};
  for (const train::Adam::Constants &constants : all) {
    Program program;
    addStep(program, constants);
    test::CompiledExecutor executor;
    runtime::Model model(executor.compile(moduleOf(program))->model());
    auto x = runtime::Tensor::of<float>({4});
    std::ranges::copy(std::array{0.5f, -3.0f, 20.0f, -0.125f}, x.view<float>().begin());
    for (int steps = 1; steps <= 20; ++steps) {
      model.run("step", {{"x", x}});
      auto weight = model.variable("weight");
      for (size_t row = 0; row < 4; ++row) // a few roundings for each step
        EXPECT_NEAR(weight.view<float>()[row], x.view<float>()[row] > 0 ? -steps : steps,
                    1e-6 * steps)
            << "beta2 " << constants.beta2;
    }
  }
}

TEST(Adam, WeightDecayTakesNothingOfBiasesAndNorms) {
  const std::vector<std::string> decayed{"weight", "embedding.word.weight"};
  const std::vector<std::string> spared{"bias", "head.bias", "attention.norm.weight", "norm.bias"};
  constexpr float rate = 0.5f, decay = 0.25f;
  Program program;
  std::vector<Variable<Axes<Row>, float>> parameters;
  for (const auto &names : {decayed, spared})
    for (const std::string &name : names)
      parameters.push_back(program.parameter<Row>(name, init::ones(), 4));
  train::Adam adam(program.scope("adam"), program.parameters(),
                   {.weightDecay = decay, .decays = train::exceptBiasesAndNorms});
  program.function("step", [&](Function &f) {
    auto x = f.argument<float, Row>("x", 4);
    Tensor<> loss = constant(0.0f);
    for (const auto &parameter : parameters)
      loss = loss + sum<Row>(parameter * x);
    adam.minimize(loss, constant(rate));
  });

  test::CompiledExecutor executor;
  runtime::Model model(executor.compile(moduleOf(program))->model());
  auto x = runtime::Tensor::of<float>({4}); // two of them are zero: there is nothing but decay
  std::ranges::copy(std::array{0.0f, -2.0f, 0.0f, 3.0f}, x.view<float>().begin());
  std::array<float, 4> smaller{1, 1, 1, 1}, whole = smaller;
  for (int steps = 1; steps <= 3; ++steps) {
    model.run("step", {{"x", x}});
    for (size_t row = 0; row < 4; ++row) {
      float gradient = x.view<float>()[row], moved = gradient == 0  ? 0
                                                     : gradient > 0 ? rate
                                                                    : -rate;
      smaller[row] = smaller[row] * (1 - rate * decay) - moved;
      whole[row] -= moved;
    }
    for (const auto &[names, expected] : {std::pair(decayed, smaller), std::pair(spared, whole)})
      for (const std::string &name : names) {
        auto found = model.variable(name);
        for (size_t row = 0; row < 4; ++row)
          EXPECT_NEAR(found.view<float>()[row], expected[row], 1e-6) << name;
        EXPECT_EQ(found.view<float>()[0], expected[0]) << name;
      }
  }
}
