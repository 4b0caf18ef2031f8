// Results that lie in bf16 between kernels take less memory and change nothing but sums of them.
#include "tests/system/support/Trained.h"

#include <gtest/gtest.h>
#include <map>

using namespace axloom::test;
using axloom::codegen::Target;
using axloom::passes::PipelineOptions;

/// First moments of Adam, which are a tenth of the gradients after one step, by name.
static std::map<std::string, std::vector<float>> gradients(const axl_model &tables) {
  std::map<std::string, std::vector<float>> gradients;
  for (const auto &[name, tensor] : trained(tables, 1).variables)
    if (name.starts_with("adam.first.")) {
      auto view = tensor.view<float>();
      gradients[name] = {view.begin(), view.end()};
    }
  return gradients;
}

TEST(NarrowResults, TakeLessMemoryAndLeaveTheGradients) {
  // The compiler marks no factors for such a target.
  if (Target::host().traits.brainFloatFactors == 0)
    GTEST_SKIP() << "this machine has no products of bf16 that are faster";
  PipelineOptions narrow, wide;
  narrow.brainFloatFactors = wide.brainFloatFactors = true;
  wide.disabled = {"narrow-results"};
  CompiledModel narrowModel(smallTransformer(), narrow), wideModel(smallTransformer(), wide);
  Trained actual = trained(narrowModel.tables()), expected = trained(wideModel.tables());
  // Nothing is rounded in the first forward pass that was not rounded before.
  EXPECT_EQ(actual.losses.front(), expected.losses.front());
  // Gradients of biases are sums of rounded numbers: 2^-9 of each, where Adam's first steps may
  // turn on the sign of one.
  for (size_t step = 1; step < expected.losses.size(); ++step)
    EXPECT_NEAR(actual.losses[step], expected.losses[step], 1e-2 * expected.losses[step]);
  EXPECT_LT(actual.arena, 0.9 * expected.arena);
  // Those of queries and keys are small differences: 1.2e-2 of the largest, others half of that.
  auto found = gradients(narrowModel.tables()), wanted = gradients(wideModel.tables());
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto &[name, gradient] : wanted)
    EXPECT_LE(distance(found.at(name), gradient, 0), 2e-2F) << name;
}
