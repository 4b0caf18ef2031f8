// The program `trainer`. In order:
//  1. open the model, read the corpus;
//  2. take up the checkpoint and its vocabulary (--resume), or start anew and learn a vocabulary;
//  3. encode the corpus;
//  4. train until the limit, or until a signal; validate and save now and then;
//  5. draw the loss curve;
//  6. translate the test split: BLEU and samples.
#include "examples/common/Print.h"
#include "examples/common/Tables.h"
#include "examples/common/Training.h"
#include "examples/translate/app/Data.h"
#include "examples/translate/app/Options.h"
#include "examples/translate/app/Programs.h"
#include "examples/translate/app/Report.h"
#include "runtime/train/Evaluate.h"
#include "runtime/train/Progress.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;

namespace example {
namespace {

PairBatchOptions batchOptions(const TrainerOptions &options, const ModelShape &shape, uint32_t seed,
                              bool shuffle) {
  PairBatchOptions batches;
  batches.tokens = options.batchTokens;
  batches.maximumSentences = shape.batch;
  batches.layout = shape.packed ? PairLayout::Packed : PairLayout::ByLength;
  batches.seed = seed;
  batches.shuffle = shuffle;
  batches.vocabularySize = shape.vocabulary;
  return batches;
}

// Gives the validation after the last step, or nothing if a signal asked the program to end.
std::optional<Validation> train(Model &model, const TokenPairs &pairs,
                                const TrainerOptions &options, const RunFolder &folder,
                                const TrainingPosition &position, PairBatches &validBatches) {
  ModelShape shape = shapeOf(model.description());
  PairBatches batches(pairs, batchOptions(options, shape, position.seed, true));
  print("training: {} batches an epoch", formatCount(batches.batchesInEpoch()));
  Validation validation;
  TrainOptions train = trainOptions(options, folder, position.seed, [&validBatches](Model &model) {
    return evaluate(model, validBatches);
  });
  if (!trainAndReport(model, batches, position, train, folder, "Loss for each target token",
                      validation))
    return std::nullopt;
  return validation;
}

int trainer(const axl_model &description, const TrainerOptions &options) {
  ModelShape shape = shapeOf(description);
  needsBeams(description, options.beams);
  Model model(description, options.seed.value_or(1));
  print("model: {} parameters, vocabulary {}, up to {} tokens",
        formatCount(countParameters(description)), formatCount(shape.vocabulary),
        std::min(shape.sourceLength, shape.targetLength));

  Corpus corpus = readCorpus(options.data);
  RunFolder folder(options.folder);
  TrainingPosition position = begin(model, folder, options);
  Vocabulary vocabulary =
      options.usesCheckpoint()
          ? loadVocabulary(folder.vocabulary, shape.vocabulary)
          : learnVocabulary(corpus.train, shape, options.units, folder.vocabulary);

  TokenPairs valid = encode("valid", corpus.valid, vocabulary, shape);
  PairBatches validBatches(valid, batchOptions(options, shape, position.seed, false));
  std::optional<Validation> validation;
  if (options.trains()) {
    TokenPairs pairs = encode("train", corpus.train, vocabulary, shape);
    if (options.shuffleSources)
      shuffleSources(pairs);
    validation = train(model, pairs, options, folder, position, validBatches);
    if (!validation)
      return stoppedBySignal;
  } else {
    validation = evaluate(model, validBatches);
  }
  print("validation perplexity {:.3f}", std::exp(validation->loss));
  Translator translator(model, vocabulary, options.beams);
  reportTest(translator, corpus.test);
  return 0;
}

} // namespace

int runTrainer(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<TrainerOptions> options = parseTrainer(argc, argv, status);
  return options ? guarded("trainer", [&] { return trainer(model, *options); }) : status;
}

} // namespace example
