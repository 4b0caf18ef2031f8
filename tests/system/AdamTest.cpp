// Moments start at zero, and Adam takes that bias away: as long as a gradient stays the same, every
// step moves a parameter by the rate, the first one too.
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
  constexpr train::Adam::Constants all[] = {
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
