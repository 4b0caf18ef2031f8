// Memory of a training step grows linearly with the length of sentences: attention never holds the
// scores of all pairs of positions, where d_k and d_v are whole vectors.
#include "runtime/device/ScratchPool.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

/// Bytes of the arena and of the kernels' scratch memory after a step of this length.
static int64_t bytesOfStep(const axl_model &tables, int64_t length) {
  Model model(tables);
  std::vector<int32_t> sentence = randomSentence(size_t(length), 1);
  Tensor source = tokens({sentence}), in = tokens({sentence}), out = tokens({sentence});
  int32_t seed = 1;
  float loss, count;
  model.call(
      "train_step",
      {{"source", source}, {"target_in", in}, {"target_out", out}, {"seed", View<int32_t>(seed)}},
      {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
  EXPECT_EQ(count, float(length));
  return model.arenaBytes() + int64_t(scratchBytes());
}

TEST(Memory, GrowsLinearlyWithLength) {
  axl_set_threads(2);
  CompiledModel model(smallTransformer({"length=2048", "batch=1", "value_depth=16"}));
  int64_t bytes[] = {bytesOfStep(model.tables(), 512), bytesOfStep(model.tables(), 1024),
                     bytesOfStep(model.tables(), 2048)};
  EXPECT_LE(double(bytes[1]), 2.1 * double(bytes[0]));
  EXPECT_LE(double(bytes[2]), 2.1 * double(bytes[1]));
  RecordProperty("bytes at 512", std::to_string(bytes[0]));
  RecordProperty("bytes at 2048", std::to_string(bytes[2]));
}
