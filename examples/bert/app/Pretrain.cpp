// The program `bert_pretrain`. In order:
//  1. open the model, read the documents;
//  2. take up the checkpoint and its vocabulary (--resume), or start anew and learn a vocabulary;
//  3. train until the limit, or until a signal; validate and save now and then;
//  4. draw the loss curve.
#include "examples/bert/app/Options.h"
#include "examples/bert/app/Programs.h"
#include "examples/bert/app/Shape.h"
#include "examples/bert/app/Text.h"
#include "examples/common/Print.h"
#include "examples/common/Subwords.h"
#include "examples/common/Tables.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"
#include "runtime/train/StepCall.h"

#include <cmath>

using namespace axloom::runtime;

namespace example {
namespace {

MaskedPairOptions batchOptions(int64_t pairs, const PretrainingShape &shape,
                               const Vocabulary &vocabulary, uint32_t seed, bool shuffle) {
  MaskedPairOptions batches;
  batches.pairs = pairs;
  batches.length = shape.length;
  batches.mask = vocabulary.id(maskUnit);
  batches.firstUnit = batches.mask + 1;
  batches.units = shape.vocabulary;
  batches.seed = seed;
  batches.shuffle = shuffle;
  return batches;
}

void describe(const char *split, const MaskedPairs &pairs, int64_t length) {
  print("{}: {} pairs in {} batches an epoch", split, formatCount(pairs.pairs()),
        formatCount(pairs.batchesInEpoch()));
  if (pairs.shortDocuments() > 0)
    print("{}: left out {} documents of less than two sentences", split,
          formatCount(pairs.shortDocuments()));
  if (pairs.longSentences() > 0)
    print("{}: {} sentences are longer than the model's {} tokens: of these, pairs have a part",
          split, formatCount(pairs.longSentences()), length);
}

// Where training starts anew, the bias of each word is the log of its share of the text, which the
// encoder then need not learn first.
void startWithShares(Model &model, const std::vector<TokenDocument> &documents) {
  Tensor bias = model.variable("masked_words.bias");
  std::vector<double> counts(size_t(bias.size()), 1);
  double total = double(counts.size());
  for (const TokenDocument &document : documents)
    for (const auto &sentence : document)
      for (int32_t id : sentence) {
        ++counts[size_t(id)];
        ++total;
      }
  for (int64_t id = 0; id < bias.size(); ++id)
    bias.view<float>()[id] = float(std::log(counts[size_t(id)] / total));
  model.writeVariable("masked_words.bias", bias);
}

// The loss that training has, the part of it that is of hidden words, and how many words and
// relations are guessed right, in percent.
Validation validatePairs(Model &model, MaskedPairs &batches) {
  StepCall call(model, "evaluate", "loss");
  double loss = 0, nextLoss = 0, right = 0, nextRight = 0, words = 0, pairs = 0;
  forEachBatch(batches, [&](const Batch &batch) {
    call.run(batch, 0, 0);
    loss += call.loss();
    nextLoss += *call.result("next_loss");
    right += *call.result("words_right");
    nextRight += *call.result("next_right");
    words += double(batch.tokens);
    pairs += double(batch.sentences);
  });
  return {loss / words + nextLoss / pairs,
          {{"of a word", loss / words},
           {"words right %", 100 * right / words},
           {"next right %", 100 * nextRight / pairs}}};
}

void printResult(const Validation &validation) {
  print("validation: loss of a hidden word {:.3f}, guessed right {:.1f} %, next sentences told "
        "apart {:.1f} %",
        validation.metrics[0].second, validation.metrics[1].second, validation.metrics[2].second);
}

int pretrain(const axl_model &description, const PretrainOptions &options) {
  PretrainingShape shape = pretrainingShape(description);
  Model model(description, options.seed.value_or(1));
  print("model: {} parameters, vocabulary {}, up to {} tokens",
        formatCount(countParameters(description)), formatCount(shape.vocabulary), shape.length);

  int64_t batchPairs = batchSize("--batch-pairs", options.pairs, 16, shape.pairs, "pairs");
  std::vector<Document> trainText, validText = readText(options.data + "/valid.txt");
  if (options.trains())
    trainText = readText(options.data + "/train.txt");
  RunFolder folder(options.folder);
  TrainingPosition position = begin(model, folder, options);
  Vocabulary vocabulary = options.usesCheckpoint()
                              ? loadVocabulary(folder.vocabulary, shape.vocabulary)
                              : learnVocabulary(trainText, shape.vocabulary, folder.vocabulary);

  std::vector<TokenDocument> valid = encode("valid", validText, vocabulary);
  MaskedPairs validPairs(valid, batchOptions(batchPairs, shape, vocabulary, position.seed, false));
  describe("valid", validPairs, shape.length);
  Validation validation;
  if (options.trains()) {
    std::vector<TokenDocument> documents = encode("train", trainText, vocabulary);
    MaskedPairs pairs(documents, batchOptions(batchPairs, shape, vocabulary, position.seed, true));
    describe("train", pairs, shape.length);
    if (position.step == 0)
      startWithShares(model, documents);
    TrainOptions train = trainOptions(options, folder, position.seed, [&](Model &trained) {
      return validatePairs(trained, validPairs);
    });
    if (train.seconds == 0) { // so that what happens when depends on steps alone
      train.validationSeconds = 0;
      train.validationSteps = std::max<int64_t>(1, train.steps / 10);
    }
    if (!trainAndReport(model, pairs, position, train, folder,
                        "Loss of hidden words and next sentences", validation))
      return stoppedBySignal;
  } else {
    validation = validatePairs(model, validPairs);
  }
  printResult(validation);
  return 0;
}

} // namespace

int runPretrain(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<PretrainOptions> options = parsePretrain(argc, argv, status);
  return options ? guarded("bert_pretrain", [&] { return pretrain(model, *options); }) : status;
}

} // namespace example
