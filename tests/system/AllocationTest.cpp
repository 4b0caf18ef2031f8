// Once shapes are known, neither a training step nor a decoding step reaches the system's
// allocator.
#include "runtime/data/Vocabulary.h"
#include "tests/support/Allocations.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

std::vector<std::vector<int32_t>> sentences(size_t length) {
  std::vector<std::vector<int32_t>> rows;
  for (uint32_t i = 0; i < 5; ++i)
    rows.push_back(randomSentence(length, i));
  return rows;
}

/// A training step, and evaluation, on 5 sentences of this length.
class Steps {
public:
  Steps(Model &model, size_t length) : model(model), tensor(tokens(sentences(length))) {}

  void operator()() {
    model.call("train_step",
               {{"source", tensor},
                {"target_in", tensor},
                {"target_out", tensor},
                {"seed", View<int32_t>(seed)}},
               {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
    model.call("evaluate", {{"source", tensor}, {"target_in", tensor}, {"target_out", tensor}},
               {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
  }

private:
  Model &model;
  Tensor tensor;
  int32_t seed = 1;
  float loss = 0, count = 0;
};

} // namespace

TEST(Allocation, NoneInWarmSteps) {
  axl_set_threads(2);
  Model model(compiledTransformer());
  Steps steps(model, 17);
  EXPECT_EQ(allocationsOf(steps), 0);
}

TEST(Allocation, NoneInStepsOfOtherSizes) {
  axl_set_threads(2);
  Model model(compiledTransformer());
  Steps large(model, 24), small(model, 9);
  EXPECT_EQ(allocationsOf([&] { large(), small(); }), 0);
}

TEST(Allocation, NoneInWarmDecoding) {
  axl_set_threads(2);
  Model model(compiledTransformer());
  const NamedSize sizes[] = {{"B", 5}, {"S", 17}, {"T", smallLength}};
  Session session(model, sizes);
  Tensor source = tokens(sentences(17)), token(AXL_I32, {5}), logits(AXL_F32, {5, smallVocabulary});
  auto decode = [&] {
    session.reset(sizes);
    session.call("encode", {{"source", source}}, {});
    for (int32_t position = 0; position < 3; ++position)
      session.call("decode_step", {{"token", token}, {"position", View<int32_t>(position)}},
                   {{"logits", logits}});
  };
  EXPECT_EQ(allocationsOf(decode), 0);
}
