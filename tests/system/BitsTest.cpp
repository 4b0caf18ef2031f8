// Same seed, same bits: whatever the number of threads, and whether or not training was
// interrupted.
#include "runtime/data/PairBatches.h"
#include "runtime/train/Trainer.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/system/support/Transformer.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

/// Sentences of 1 to 20 tokens; the target is the source backwards.
TokenPairs sentencePairs() {
  TokenPairs pairs;
  for (uint32_t i = 0; i < 60; ++i) {
    pairs.source.push_back(randomSentence(1 + i % 20, i));
    pairs.target.emplace_back(pairs.source.back().rbegin(), pairs.source.back().rend());
  }
  return pairs;
}

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Bits : public testing::Test {
protected:
  ~Bits() override { axl_set_threads(0); }

  /// Trains up to `steps` steps, from `position`, and gives the bytes of the checkpoint.
  std::string train(Model &model, int64_t steps, TrainingPosition position = {}) {
    PairBatches batches(pairs, {.tokens = 100, .maximumSentences = 16, .seed = 5});
    TrainOptions options;
    options.steps = steps;
    options.seed = 7;
    options.progress = -1;
    options.checkpoint = checkpoint();
    axloom::runtime::train(model, batches, position, options);
    return contents(checkpoint());
  }

  std::string train(int threads, int64_t steps, uint32_t seed = 3) {
    axl_set_threads(threads);
    Model model(compiledTransformer(), seed);
    return train(model, steps);
  }

  std::string checkpoint() const { return folder.path() + "/checkpoint.safetensors"; }

  TemporaryFolder folder;
  TokenPairs pairs = sentencePairs();
};

} // namespace

TEST_F(Bits, ThreadsDoNotChangeTheCheckpoint) {
  std::string one = train(1, 12);
  EXPECT_EQ(train(1, 12), one);
  EXPECT_EQ(train(2, 12), one);
  EXPECT_EQ(train(3, 12), one);
  EXPECT_NE(train(1, 12, 4), one) << "another seed";
}

TEST_F(Bits, StoppingAndResumingChangesNothing) {
  std::string straight = train(2, 12); // more than one epoch
  EXPECT_NE(train(2, 5), straight);
  Model resumed(compiledTransformer(), 99); // another start, which the checkpoint replaces
  LoadedCheckpoint loaded = loadCheckpoint(resumed, checkpoint());
  EXPECT_EQ(loaded.position.step, 5);
  EXPECT_EQ(train(resumed, 12, loaded.position), straight);
}
