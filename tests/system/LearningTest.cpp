// Real training works: on a real corpus, the model learns to use the source sentence. Trained on
// the same targets with the sources shuffled it can only learn German, and predicts held-out
// translations worse.
#include "examples/translate/app/Data.h"
#include "runtime/train/Evaluate.h"
#include "runtime/train/Trainer.h"
#include "tests/system/support/Transformer.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

/// What the shuffled model loses against the straight one at least: nats a token of the validation
/// split. After these steps it loses 0.20 to 0.36, depending on how sums happen to be rounded (five
/// sizes of a loss's chunks; two seeds).
constexpr double margin = 0.1;
constexpr int64_t steps = 300;

/// Every `stride`-th pair, at most `count`: the corpus is sorted by where it comes from.
std::vector<SentencePair> sample(const std::vector<SentencePair> &pairs, size_t count) {
  std::vector<SentencePair> chosen;
  size_t stride = std::max<size_t>(1, pairs.size() / count);
  for (size_t i = 0; i < pairs.size() && chosen.size() < count; i += stride)
    chosen.push_back(pairs[i]);
  return chosen;
}

double validationLoss(const axl_model &tables, const TokenPairs &train, const TokenPairs &valid) {
  Model model(tables, 1);
  PairBatches batches(train, {.tokens = 1024, .seed = 1}), held(valid, {.shuffle = false});
  TrainOptions options;
  options.steps = steps;
  options.progress = -1;
  TrainingPosition start;
  start.seed = 1;
  axloom::runtime::train(model, batches, start, options);
  return evaluate(model, held).loss;
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

  double straight = validationLoss(compiled.tables(), train, valid);
  example::shuffleSources(train);
  double shuffled = validationLoss(compiled.tables(), train, valid);
  std::printf("validation loss: %.4f, with shuffled sources %.4f\n", straight, shuffled);
  EXPECT_LT(straight + margin, shuffled);
}
