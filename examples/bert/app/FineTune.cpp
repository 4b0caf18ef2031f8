// The program `bert_finetune`: what pretraining is worth to a classifier. For each seed it trains
// the same classifier twice, for the same steps on the same batches: from its first values, and
// with the encoder of a pretraining checkpoint. It compares what both get right in the test split.
#include "examples/bert/app/Options.h"
#include "examples/bert/app/Programs.h"
#include "examples/bert/app/Text.h"
#include "examples/classify/app/Data.h"
#include "examples/classify/app/Evaluation.h"
#include "examples/common/Print.h"
#include "examples/common/Subwords.h"
#include "examples/common/Tables.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/train/Trainer.h"

#include <cmath>
#include <numeric>

using namespace axloom::runtime;

namespace example {
namespace {

// The units of pretraining, between [CLS] and [SEP].
class PretrainedUnits : public Tokenizer {
public:
  explicit PretrainedUnits(Vocabulary units) : units(std::move(units)) {}

  TextTokens encode(std::string_view text, int64_t limit) const override {
    TextTokens tokens{.ids = units.encode(text)};
    if (!tokens.ids.empty())
      tokens.cut = enclose(tokens.ids, Vocabulary::begin, Vocabulary::end, limit);
    return tokens;
  }
  int32_t size() const override { return units.size(); }
  std::string piece(int32_t id) const override { return units.piece(id); }

private:
  Vocabulary units;
};

class Comparison {
public:
  Comparison(const axl_model &description, const FineTuneOptions &options)
      : description(description), options(options), shape(classifierShapeOf(description)),
        batchTexts(batchSize("--batch-texts", options.texts, 32, shape.batch, "texts")),
        pretrained(options.pretrained), encoder(description),
        corpus(readLabelledCorpus(options.data)), labels(Labels::of(corpus.train.texts)) {
    checkLabels(labels, shape);
    PretrainedUnits units(loadVocabulary(pretrained.vocabulary, shape.vocabulary, "--pretrained"));
    // Once for all: pretraining may go on meanwhile. What does not fit shows before any training.
    ofEncoder = importParameters(encoder, {pretrained.checkpoint}, NameTable::load(options.names));
    train = encode("train", corpus.train, units, labels, shape);
    test = encode("test", corpus.test, units, labels, shape);
  }

  // The share of test texts that are classified right; nothing if a signal asked the program to
  // end.
  std::optional<double> accuracy(uint32_t seed, bool usesPretraining) {
    Model model(description, seed);
    if (usesPretraining)
      for (const std::string &name : ofEncoder)
        model.writeVariable(name, encoder.variable(name));
    LabelledBatches batches(train, batchOptions(seed, true));
    TrainOptions settings;
    settings.steps = options.steps;
    settings.seed = seed;
    TrainResult result = axloom::runtime::train(model, batches, {}, settings);
    if (result.reason == StopReason::Signal) {
      print("stopped by a signal in step {} of {}", result.position.step, options.steps);
      return std::nullopt;
    }
    LabelledBatches testBatches(test, batchOptions(seed, false));
    return evaluateClassifier(model, testBatches, labels).confusion.accuracy();
  }

private:
  LabelledBatchOptions batchOptions(uint32_t seed, bool shuffle) const {
    return {.texts = batchTexts,
            .seed = seed,
            .shuffle = shuffle,
            .vocabularySize = shape.vocabulary,
            .classes = shape.classes};
  }

  const axl_model &description;
  const FineTuneOptions &options;
  ClassifierShape shape;
  int64_t batchTexts;
  RunFolder pretrained;
  Model encoder;                      // with the pretrained encoder's values, once constructed
  std::vector<std::string> ofEncoder; // the names of its parameters
  LabelledCorpus corpus;
  Labels labels;
  LabelledTokens train, test;
};

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

// The standard deviation, as one that is estimated from few values.
double deviation(const std::vector<double> &values) {
  double squares = 0;
  for (double value : values)
    squares += (value - mean(values)) * (value - mean(values));
  return std::sqrt(squares / double(values.size() - 1));
}

int fineTune(const axl_model &description, const FineTuneOptions &options) {
  print("classifier: {} parameters", countParameters(description));
  Comparison comparison(description, options);
  std::vector<double> scratch, pretrained, differences; // in percent
  for (uint32_t seed = 1; seed <= uint32_t(options.seeds); ++seed) {
    std::optional<double> without = comparison.accuracy(seed, false);
    if (!without)
      return stoppedBySignal;
    scratch.push_back(100 * *without);
    print("seed {}, {} steps from scratch: test accuracy {:.2f} %", seed, options.steps,
          scratch.back());
    std::optional<double> with = comparison.accuracy(seed, true);
    if (!with)
      return stoppedBySignal;
    pretrained.push_back(100 * *with);
    differences.push_back(pretrained.back() - scratch.back());
    print("seed {}, {} steps from the pretrained encoder: test accuracy {:.2f} % ({:+.2f})", seed,
          options.steps, pretrained.back(), differences.back());
  }
  print("test accuracy: {:.2f} % from scratch, {:.2f} % from the pretrained encoder", mean(scratch),
        mean(pretrained));
  print("mean difference {:+.2f} points, standard deviation {:.2f} over {} seeds",
        mean(differences), deviation(differences), options.seeds);
  return 0;
}

} // namespace

int runFineTune(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<FineTuneOptions> options = parseFineTune(argc, argv, status);
  return options ? guarded("bert_finetune", [&] { return fineTune(model, *options); }) : status;
}

} // namespace example
