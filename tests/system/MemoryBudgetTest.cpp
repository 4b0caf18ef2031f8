// Under a memory budget a training step takes less memory and leaves the same bits: what is
// computed again is computed as it was the first time.
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;
using axloom::passes::MemoryBudget;
using axloom::passes::PipelineOptions;

namespace {
/// What three steps leave behind.
struct Trained {
  std::vector<float> losses;
  std::vector<Tensor> variables;
  int64_t arena = 0;
};
} // namespace

static std::span<const float> numbers(const Tensor &tensor) {
  auto view = tensor.view<float>();
  return {view.begin(), view.end()};
}

static Trained trained(const axl_model &tables) {
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

TEST(MemoryBudget, TakesLessMemoryAndChangesNoBit) {
  Trained plain = trained(compiledTransformer());
  int64_t before = plain.arena;
  // Normalizations; then products, of most layers.
  for (const char *text : {"1100K@B=8,S=24,T=24", "700K@B=8,S=24,T=24"}) {
    PipelineOptions options;
    ASSERT_EQ(MemoryBudget::parse(text, options.memoryBudget), "");
    CompiledModel model(smallTransformer(), options);
    Trained tight = trained(model.tables());
    EXPECT_TRUE(sameBits(tight.losses, plain.losses)) << text;
    ASSERT_EQ(tight.variables.size(), plain.variables.size());
    for (size_t i = 0; i < plain.variables.size(); ++i)
      EXPECT_TRUE(plain.variables[i].type() != AXL_F32 ||
                  sameBits(numbers(tight.variables[i]), numbers(plain.variables[i])))
          << text << ", variable " << i;
    EXPECT_LT(tight.arena, before) << text;
    before = tight.arena;
  }
}
