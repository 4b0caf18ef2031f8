#include "tests/system/support/Trained.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

Trained axloom::test::trained(const axl_model &tables) {
  Model model(tables, 3);
  Trained result;
  for (uint32_t step = 0; step < 3; ++step) {
    std::vector<std::vector<int32_t>> rows;
    for (uint32_t row = 0; row < 8; ++row)
      rows.push_back(randomSentence(smallLength - row % 5, 8 * step + row));
    Tensor source = tokens(rows);
    int32_t seed = 1;
    float loss, count;
    model.call("train_step",
               {{"source", source},
                {"target_in", source},
                {"target_out", source},
                {"seed", View<int32_t>(seed)}},
               {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
    result.losses.push_back(loss);
  }
  for (int32_t i = 0; i < tables.variable_count; ++i)
    if (tables.variables[i].kind != AXL_SESSION)
      result.variables.push_back(model.variable(tables.variables[i].value.name));
  result.arena = model.arenaBytes();
  return result;
}

static std::span<const float> numbers(const Tensor &tensor) {
  auto view = tensor.view<float>();
  return {view.begin(), view.end()};
}

void axloom::test::expectSameBits(const Trained &actual, const Trained &expected) {
  EXPECT_TRUE(sameBits(actual.losses, expected.losses));
  ASSERT_EQ(actual.variables.size(), expected.variables.size());
  for (size_t i = 0; i < expected.variables.size(); ++i)
    EXPECT_TRUE(expected.variables[i].type() != AXL_F32 ||
                sameBits(numbers(actual.variables[i]), numbers(expected.variables[i])))
        << "variable " << i;
}
