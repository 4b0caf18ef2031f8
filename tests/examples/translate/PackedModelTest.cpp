// The real model with packed batches: what it gives for them is what the model with padded batches
// gives for the same sentences.
#include "examples/translate/app/Shape.h"
#include "runtime/data/PairBatches.h"
#include "runtime/train/Evaluate.h"
#include "runtime/train/StepCall.h"
#include "translate_packed.h"
#include "translate_small.h"

#include <gtest/gtest.h>

using namespace example;
using namespace axloom::runtime;

namespace {

TokenPairs somePairs() {
  TokenPairs pairs;
  for (int32_t i = 0; i < 60; ++i) {
    pairs.source.emplace_back(size_t(1 + i * 7 % 23), 4 + i);
    pairs.target.emplace_back(size_t(1 + i * 5 % 19), 90 + i);
  }
  return pairs;
}

PairBatchOptions options(const axl_model &model) {
  return {.tokens = 300,
          .layout = shapeOf(model).packed ? PairLayout::Packed : PairLayout::ByLength};
}

TEST(PackedModel, SaysSo) {
  EXPECT_TRUE(shapeOf(translate_packed_model).packed);
  EXPECT_EQ(shapeOf(translate_packed_model).sourceLength, 24);
  EXPECT_EQ(shapeOf(translate_packed_model).targetLength, 24);
  EXPECT_FALSE(shapeOf(translate_small_model).packed);
}

TEST(PackedModel, HasTheLossOfPaddedBatches) {
  TokenPairs pairs = somePairs();
  double losses[2];
  int i = 0;
  for (const axl_model *description : {&translate_packed_model, &translate_small_model}) {
    Model model(*description, 3);
    PairBatches batches(pairs, options(*description));
    losses[i++] = evaluate(model, batches).loss;
  }
  EXPECT_NEAR(losses[0], losses[1], 1e-5);
}

// Dropout depends on sentence and position, not on where a token lies in memory: the same sentences
// in the same order learn the same.
TEST(PackedModel, LearnsAsFromPaddedBatches) {
  TokenPairs pairs = somePairs();
  double losses[2];
  int i = 0;
  for (const axl_model *description : {&translate_packed_model, &translate_small_model}) {
    Model model(*description, 3);
    bool packed = shapeOf(*description).packed;
    PairBatches batches(pairs, {.tokens = 100000,
                                .layout = packed ? PairLayout::Packed : PairLayout::AsTheyCome,
                                .shuffle = false});
    StepCall step(model, "train_step", "loss");
    Batch batch;
    for (int64_t count = 1; count <= 30; ++count) {
      batches.next(batch);
      step.run(batch, 1, count);
    }
    losses[i++] = step.loss();
  }
  EXPECT_NEAR(losses[0], losses[1], 1e-3);
}

} // namespace
