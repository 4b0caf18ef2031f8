#include "tests/system/support/Trained.h"

#include "runtime/data/Vocabulary.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {
/// The arguments of one step.
struct Batch {
  explicit Batch(uint32_t seed);
  Tensor source, targetIn, targetOut;
};
} // namespace

Batch::Batch(uint32_t seed) {
  std::vector<std::vector<int32_t>> sources, in, out;
  for (uint32_t row = 0; row < 8; ++row) {
    sources.push_back(randomSentence(smallLength - row % 5, seed + row));
    std::vector<int32_t> target = randomSentence(17 - row % 5, 1000 + seed + row);
    in.push_back(target);
    in.back().insert(in.back().begin(), Vocabulary::begin);
    out.push_back(target);
    out.back().push_back(Vocabulary::end);
  }
  source = tokens(sources);
  targetIn = tokens(in);
  targetOut = tokens(out);
}

Trained axloom::test::trained(const axl_model &tables, uint32_t steps) {
  Model model(tables, 3);
  Trained result;
  for (uint32_t step = 0; step < steps; ++step) {
    Batch batch(8 * step);
    int32_t seed = 1;
    float loss, count;
    model.call("train_step",
               {{"source", batch.source},
                {"target_in", batch.targetIn},
                {"target_out", batch.targetOut},
                {"seed", View<int32_t>(seed)}},
               {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
    result.losses.push_back(loss);
  }
  for (int32_t i = 0; i < tables.variable_count; ++i)
    if (tables.variables[i].kind != AXL_SESSION) {
      const char *name = tables.variables[i].value.name;
      result.variables.push_back({name, model.variable(name)});
    }
  result.arena = model.arenaBytes();
  return result;
}

static std::string_view bytes(const Tensor &tensor) {
  return {static_cast<const char *>(tensor.data()), size_t(tensor.bytes())};
}

void axloom::test::expectSameBits(const Trained &actual, const Trained &expected) {
  EXPECT_TRUE(sameBits(actual.losses, expected.losses));
  ASSERT_EQ(actual.variables.size(), expected.variables.size());
  for (size_t i = 0; i < expected.variables.size(); ++i)
    EXPECT_TRUE(bytes(actual.variables[i].tensor) == bytes(expected.variables[i].tensor))
        << expected.variables[i].name;
}
