// A target that is not the host, with memory and limits of its own, trains and decodes like it:
// nothing between the graph and the runtime takes the device for the CPU.
#include "codegen/mock/MockDevice.h"
#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Greedy.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::runtime;
using namespace axloom::test;

namespace {

const axl_model &mockTransformer() {
  codegen::mockDevice();
  static CompiledModel model(smallTransformer(), {}, *codegen::Target::named("mock"));
  return model.tables();
}

std::vector<std::vector<int32_t>> sources() {
  std::vector<std::vector<int32_t>> sentences;
  for (uint32_t i = 0; i < 6; ++i)
    sentences.push_back(randomSentence(3 + 3 * i, i));
  return sentences;
}

/// The losses of some steps of training.
std::vector<float> losses(Model &model) {
  std::vector<float> losses;
  Tensor source = tokens(sources());
  auto words = sources();
  for (auto &sentence : words)
    sentence.insert(sentence.begin(), Vocabulary::begin);
  Tensor in = tokens(words);
  for (auto &sentence : words)
    sentence.erase(sentence.begin()), sentence.push_back(Vocabulary::end);
  Tensor out = tokens(words);
  int32_t seed = 5;
  for (int step = 0; step < 5; ++step) {
    float loss, count;
    model.call(
        "train_step",
        {{"source", source}, {"target_in", in}, {"target_out", out}, {"seed", View<int32_t>(seed)}},
        {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
    losses.push_back(loss);
  }
  return losses;
}

} // namespace

// Limits differ, and with them fusion and the order of sums: rounding, which five steps of Adam
// enlarge, is all that may differ.
TEST(MockDecoding, TrainsAndDecodesLikeTheHost) {
  int64_t launches = codegen::mockLaunches();
  Model mock(mockTransformer()), host(compiledTransformer());
  std::vector<float> found = losses(mock), expected = losses(host);
  for (size_t step = 0; step < expected.size(); ++step)
    EXPECT_NEAR(found[step], expected[step], 1e-4) << "step " << step;
  EXPECT_LT(expected.back(), expected.front());

  GreedyOptions options;
  options.maximumLength = smallLength;
  EXPECT_EQ(Greedy(mock, options).decode(sources()), Greedy(host, options).decode(sources()));
  EXPECT_GT(codegen::mockLaunches(), launches + 100) << "the mock device ran none of this";
}
