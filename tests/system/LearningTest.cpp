// Real training works: on a real corpus, the model learns to use the source sentence. It predicts
// held-out translations worse when it is given other sources; and trained on the same targets with
// the sources shuffled, it can only learn German, predicts them worse, and cares for no source.
#include "examples/translate/app/Data.h"
#include "runtime/train/Evaluate.h"
#include "runtime/train/Trainer.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/system/support/Transformer.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

/// Nats a token of the validation split. After these steps a model loses 0.35 to 0.39 with other
/// sources, and 0.21 to 0.23 if it was trained on shuffled ones, depending on how sums happen to be
/// rounded (four sizes of a loss's chunks).
constexpr double marginOfSources = 0.2, marginOfTraining = 0.15;
constexpr int64_t steps = 300;

/// Every `stride`-th pair, at most `count`: the corpus is sorted by where it comes from.
std::vector<SentencePair> sample(const std::vector<SentencePair> &pairs, size_t count) {
  std::vector<SentencePair> chosen;
  size_t stride = std::max<size_t>(1, pairs.size() / count);
  for (size_t i = 0; i < pairs.size() && chosen.size() < count; i += stride)
    chosen.push_back(pairs[i]);
  return chosen;
}

/// Losses of the validation split, with its own sources and with those of other pairs.
struct Losses {
  double own, others;
};

Losses lossesAfterTraining(const axl_model &tables, const TokenPairs &train,
                           const TokenPairs &valid) {
  Model model(tables, 1);
  PairBatches batches(train, {.tokens = 2048, .seed = 1});
  TrainOptions options;
  options.steps = steps;
  options.progress = -1;
  TrainingPosition start;
  start.seed = 1;
  axloom::runtime::train(model, batches, start, options);
  TokenPairs shuffled = valid;
  example::shuffleSources(shuffled);
  auto loss = [&](const TokenPairs &pairs) {
    PairBatches held(pairs, {.shuffle = false});
    return evaluate(model, held).loss;
  };
  return {loss(valid), loss(shuffled)};
}

} // namespace

TEST(Learning, TheSourceHelps) {
  const char *folder = std::getenv("AXLOOM_TEST_CORPUS");
  ASSERT_NE(folder, nullptr) << "the folder that examples/data/fetch filled";
  example::Corpus corpus = example::readCorpus(folder);
  CompiledModel compiled(smallTransformer({"layers=2", "width=64", "heads=4", "depth=16",
                                           "value_depth=16", "hidden=128", "vocabulary=2000",
                                           "length=48", "batch=256", "warmup=150", "dropout=0"}));
  example::ModelShape shape = example::shapeOf(compiled.tables());

  TemporaryFolder files;
  std::vector<SentencePair> pairs = sample(corpus.train, 20000);
  Vocabulary vocabulary =
      example::learnVocabulary(pairs, shape, Units::Bpe, files.path() + "/vocabulary");
  TokenPairs train = example::encode("train", pairs, vocabulary, shape);
  TokenPairs valid = example::encode("valid", sample(corpus.valid, 400), vocabulary, shape);

  Losses straight = lossesAfterTraining(compiled.tables(), train, valid);
  example::shuffleSources(train);
  Losses shuffled = lossesAfterTraining(compiled.tables(), train, valid);
  std::printf("validation loss: %.4f, with other sources %.4f; trained on shuffled sources: %.4f, "
              "with other ones %.4f\n",
              straight.own, straight.others, shuffled.own, shuffled.others);
  EXPECT_LT(straight.own + marginOfSources, straight.others);
  EXPECT_LT(straight.own + marginOfTraining, shuffled.own);
  EXPECT_NEAR(shuffled.own, shuffled.others, 0.01);
}
