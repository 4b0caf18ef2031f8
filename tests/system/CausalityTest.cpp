// The decoder's input is the target shifted by one: position t sees the tokens before t and
// predicts token t. A later token of the target changes no earlier prediction, not by one bit.
#include "runtime/data/PairBatches.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

constexpr int64_t targetLength = 12;

const Tensor &named(const Batch &batch, const std::string &name) {
  for (const NamedTensor &tensor : batch.tensors)
    if (tensor.name == name)
      return tensor.tensor;
  throw std::runtime_error("the batch has no " + name);
}

/// The logits at each position (the last predicts the end) for a pair, batched as training does.
Tensor predictions(Model &model, const std::vector<int32_t> &target) {
  TokenPairs pairs{{randomSentence(9, 1)}, {target}, 0};
  PairBatches batches(pairs, {});
  Batch batch;
  batches.next(batch);
  Tensor logits(AXL_F32, {1, targetLength + 1, smallVocabulary});
  model.call("forward",
             {{"source", named(batch, "source")}, {"target_in", named(batch, "target_in")}},
             {{"logits", logits}});
  return logits;
}

std::span<const float> at(const Tensor &logits, int64_t position) {
  return {logits.view<float>().data() + position * smallVocabulary, size_t(smallVocabulary)};
}

} // namespace

TEST(Causality, ALaterTokenChangesNoEarlierPrediction) {
  Model model(compiledTransformer());
  const std::vector<int32_t> target = randomSentence(targetLength, 2);
  Tensor before = predictions(model, target);
  for (int64_t changed = 0; changed < targetLength; ++changed) {
    std::vector<int32_t> other = target;
    other[size_t(changed)] = target[size_t(changed)] == 5 ? 6 : 5;
    Tensor after = predictions(model, other);
    // Position `changed` has to predict the token, and so must not know it.
    for (int64_t position = 0; position <= changed; ++position)
      EXPECT_TRUE(sameBits(at(before, position), at(after, position)))
          << "token " << changed << " is seen at position " << position;
    for (int64_t position = changed + 1; position <= targetLength; ++position)
      EXPECT_FALSE(sameBits(at(before, position), at(after, position)))
          << "token " << changed << " is not seen at position " << position;
  }
}

// The same in training, whose kernels are others: a token behind all that the loss counts does not
// move it.
TEST(Causality, TrainingSeesOnlyWhatIsBefore) {
  auto lossWith = [](int32_t last) {
    Model model(compiledTransformer());
    Tensor source = tokens({randomSentence(9, 1)});
    Tensor in = tokens({{Vocabulary::begin, 7, 8, 9, last}});
    Tensor out = tokens({{7, 8, 9, 10, Vocabulary::padding}});
    int32_t seed = 1;
    float loss, count;
    model.call(
        "train_step",
        {{"source", source}, {"target_in", in}, {"target_out", out}, {"seed", View<int32_t>(seed)}},
        {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
    EXPECT_EQ(count, 4);
    return loss;
  };
  EXPECT_EQ(lossWith(10), lossWith(11));
}
