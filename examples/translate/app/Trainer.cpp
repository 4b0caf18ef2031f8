// The program `trainer`. In order:
//  1. open the model, read the corpus;
//  2. take up the checkpoint and its vocabulary (--resume), or start anew and learn a vocabulary;
//  3. encode the corpus;
//  4. train until the limit, or until a signal; validate and save now and then;
//  5. draw the loss curve;
//  6. translate the test split: BLEU and samples.
#include "runtime/train/Trainer.h"
#include "examples/translate/app/Curve.h"
#include "examples/translate/app/Data.h"
#include "examples/translate/app/Options.h"
#include "examples/translate/app/Print.h"
#include "examples/translate/app/Programs.h"
#include "examples/translate/app/Report.h"
#include "examples/translate/app/RunFolder.h"
#include "runtime/core/Error.h"
#include "runtime/train/Evaluate.h"
#include "runtime/train/Progress.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace axloom::runtime;

namespace example {
namespace {

int64_t countParameters(const axl_model &model) {
  int64_t total = 0;
  for (int32_t i = 0; i < model.variable_count; ++i) {
    const axl_variable_info &variable = model.variables[i];
    int64_t elements = 1;
    for (int32_t axis = 0; axis < variable.value.rank; ++axis)
      elements *= variable.value.extents[axis].factor;
    total += variable.kind == AXL_PARAMETER ? elements : 0;
  }
  return total;
}

// The checkpoint's position, put into the model.
TrainingPosition resume(Model &model, const RunFolder &folder, const TrainerOptions &options) {
  if (!std::filesystem::exists(folder.checkpoint))
    throw Error(AXL_ERROR_FILE, concat("there is no checkpoint '", folder.checkpoint, "' to ",
                                       options.trains() ? "go on from: start without --resume"
                                                        : "evaluate: train first, which --minutes "
                                                          "0 leaves out"));
  LoadedCheckpoint loaded = loadCheckpoint(model, folder.checkpoint);
  if (!loaded.sameGraph)
    print("note: the model's graph has changed since the checkpoint; its tensors still fit");
  if (options.seed && *options.seed != loaded.position.seed)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("the checkpoint was made with --seed ", loaded.position.seed, ", not ",
                       *options.seed, ": leave --seed out, or start without --resume"));
  print("going on after step {}", formatCount(loaded.position.step));
  return loaded.position;
}

PairBatchOptions batchOptions(const TrainerOptions &options, const ModelShape &shape, uint32_t seed,
                              bool shuffle) {
  PairBatchOptions batches;
  batches.tokens = options.batchTokens;
  batches.seed = seed;
  batches.shuffle = shuffle;
  batches.vocabularySize = shape.vocabulary;
  return batches;
}

TrainOptions trainOptions(const TrainerOptions &options, const RunFolder &folder, uint32_t seed,
                          PairBatches &validBatches) {
  TrainOptions train;
  train.seconds = options.seconds();
  train.steps = options.steps;
  train.seed = seed;
  train.checkpoint = folder.checkpoint;
  train.history = folder.history;
  train.validate = [&validBatches](Model &model) { return evaluate(model, validBatches); };
  train.validationSeconds = std::clamp(train.seconds / 10, 30.0, 300.0);
  return train;
}

void reportTraining(const TrainResult &result) {
  print("{} after step {}, epoch {}: {} target tokens, {}/s",
        result.reason == StopReason::Signal ? "stopped by a signal" : "trained",
        formatCount(result.position.step), result.position.data.epoch + 1,
        formatCount(result.position.tokens), formatCount(std::llround(result.tokensPerSecond)));
}

// Gives the validation after the last step, or nothing if a signal asked the program to end.
std::optional<Validation> train(Model &model, const TokenPairs &pairs,
                                const TrainerOptions &options, const RunFolder &folder,
                                TrainingPosition position, PairBatches &validBatches) {
  ModelShape shape = shapeOf(model.description());
  PairBatches batches(pairs, batchOptions(options, shape, position.seed, true));
  print("training: {} batches an epoch", formatCount(batches.batchesInEpoch()));
  TrainResult result = axloom::runtime::train(
      model, batches, position, trainOptions(options, folder, position.seed, validBatches));
  reportTraining(result);
  if (drawCurve(folder.history, folder.curve))
    print("loss curve: {}", folder.curve);
  print("checkpoint: {}", folder.checkpoint);
  if (result.reason == StopReason::Signal)
    return std::nullopt;
  return result.validation;
}

int trainer(const axl_model &description, const TrainerOptions &options) {
  ModelShape shape = shapeOf(description);
  axl_set_threads(options.threads);
  TrainingPosition position;
  position.seed = options.seed.value_or(1);
  Model model(description, position.seed);
  print("model: {} parameters, vocabulary {}, up to {} tokens",
        formatCount(countParameters(description)), formatCount(shape.vocabulary),
        std::min(shape.sourceLength, shape.targetLength));

  Corpus corpus = readCorpus(options.data);
  RunFolder folder(options.folder);
  folder.prepare();
  if (options.usesCheckpoint())
    position = resume(model, folder, options);
  else if (std::string previous = folder.setAside(); !previous.empty())
    print("the files of the earlier run are in {} now", previous);
  Vocabulary vocabulary = options.usesCheckpoint()
                              ? loadVocabulary(folder.vocabulary, shape)
                              : learnVocabulary(corpus.train, shape, folder.vocabulary);

  TokenPairs valid = encode("valid", corpus.valid, vocabulary, shape);
  PairBatches validBatches(valid, batchOptions(options, shape, position.seed, false));
  std::optional<Validation> validation;
  if (options.trains()) {
    TokenPairs pairs = encode("train", corpus.train, vocabulary, shape);
    if (options.shuffleSources)
      shuffleSources(pairs);
    validation = train(model, pairs, options, folder, position, validBatches);
    if (!validation)
      return 0;
  } else {
    validation = evaluate(model, validBatches);
  }
  print("validation perplexity {:.3f}", std::exp(validation->loss));
  Translator translator(model, vocabulary);
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
