// The program `classify_trainer`. In order:
//  1. open the model, read the corpus;
//  2. take up the checkpoint with its vocabulary and labels (--resume), or start anew: learn a
//     vocabulary from the training texts, or take published weights with theirs;
//  3. encode the corpus;
//  4. train for a fixed number of steps, or until a signal; validate after each epoch;
//  5. draw the loss curve;
//  6. classify the test split: accuracy, and a confusion matrix.
#include "examples/classify/app/Data.h"
#include "examples/classify/app/Evaluation.h"
#include "examples/classify/app/Options.h"
#include "examples/common/Print.h"
#include "examples/common/Tables.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/train/Progress.h"

#include <cmath>

using namespace axloom::runtime;

namespace example {
namespace {

class Run {
public:
  Run(Model &model, const LabelledCorpus &corpus, const ClassifierTrainerOptions &options)
      : model(model), options(options), shape(classifierShapeOf(model.description())),
        batchTexts(batchSize("--batch", options.batchTexts, options.task->batchTexts, shape.batch,
                             "texts")),
        folder(options.folder), labels(Labels::of(corpus.train.texts)) {
    if (options.usesCheckpoint())
      goOn(corpus);
    else
      startAnew(corpus);
    train = encode("train", corpus.train);
    valid = encode("valid", corpus.valid);
    test = encode("test", corpus.test);
  }

  // False if a signal asked the program to end.
  bool trains() {
    LabelledBatches batches(train, batchOptions(true));
    LabelledBatches validBatches(valid, batchOptions(false));
    TrainingFlags flags = options;
    if (flags.steps == 0)
      flags.steps = std::llround(std::ceil(options.epochs.value_or(options.task->epochs) *
                                           double(batches.batchesInEpoch())));
    print("training: {} steps, {} batches an epoch", formatCount(flags.steps),
          formatCount(batches.batchesInEpoch()));
    TrainOptions settings = trainOptions(flags, folder, position.seed, [&](Model &) {
      Evaluation found = evaluateClassifier(model, validBatches, labels);
      return Validation{found.loss, {{"accuracy", 100 * found.confusion.accuracy()}}};
    });
    settings.validationSeconds = 0;
    settings.validationSteps = batches.batchesInEpoch();
    Validation last;
    return trainAndReport(model, batches, position, settings, folder, "Loss for each text", last);
  }

  void reportTest() {
    LabelledBatches batches(test, batchOptions(false));
    Evaluation found = evaluateClassifier(model, batches, labels);
    if (options.trains()) { // evaluating alone writes nothing
      writePng(found.confusion.heatMap("Test texts by their class, and what was found"),
               folder.confusion);
      print("confusion matrix: {}", folder.confusion);
    }
    print("test {}", accuracyText(found.confusion));
  }

private:
  void goOn(const LabelledCorpus &corpus) {
    position = begin(model, folder, options);
    tokenizer = loadTokenizer(folder);
    labels = Labels::load(folder.labels);
    checkVocabulary(*tokenizer, shape);
    checkLabels(labels, shape);
    for (const LabelledFile *file : {&corpus.train, &corpus.valid, &corpus.test})
      labels.classesOf(file->texts, file->path, " of this model; for other labels, train anew");
  }

  // What is wrong with the input shows before an earlier run moves out of the way.
  void startAnew(const LabelledCorpus &corpus) {
    std::string words = options.weights + "/vocab.txt";
    checkLabels(labels, shape);
    for (const LabelledFile *file : {&corpus.valid, &corpus.test})
      labels.classesOf(file->texts, file->path, " of the training texts");
    if (!options.weights.empty()) {
      tokenizer = publishedTokenizer(words);
      checkVocabulary(*tokenizer, shape);
      importParameters(model, shardsOf(options.weights), NameTable::load(options.names));
    }
    position = begin(model, folder, options);
    labels.save(folder.labels);
    if (tokenizer)
      return keepWords(words, folder);
    std::vector<std::string_view> lines;
    for (const LabelledText &text : corpus.train.texts)
      lines.push_back(text.text);
    tokenizer = learnTokenizer(lines, shape.vocabulary, folder);
  }

  LabelledTokens encode(const char *split, const LabelledFile &file) const {
    return example::encode(split, file, *tokenizer, labels, shape);
  }

  LabelledBatchOptions batchOptions(bool shuffle) const {
    return {.texts = batchTexts,
            .seed = position.seed,
            .shuffle = shuffle,
            .vocabularySize = shape.vocabulary,
            .classes = shape.classes};
  }

  Model &model;
  const ClassifierTrainerOptions &options;
  ClassifierShape shape;
  int64_t batchTexts;
  RunFolder folder;
  TrainingPosition position;
  std::unique_ptr<Tokenizer> tokenizer;
  Labels labels;
  LabelledTokens train, valid, test;
};

int trainer(const ClassifierTrainerOptions &options) {
  const axl_model &description = *options.task->model;
  ClassifierShape shape = classifierShapeOf(description);
  Model model(description, options.seed.value_or(1));
  print("model: {} parameters, {} classes, vocabulary {}, up to {} tokens",
        formatCount(countParameters(description)), shape.classes, formatCount(shape.vocabulary),
        shape.length);
  LabelledCorpus corpus = readLabelledCorpus(options.data);
  Run run(model, corpus, options);
  if (options.trains() && !run.trains())
    return stoppedBySignal;
  run.reportTest();
  return 0;
}

} // namespace

int runClassifierTrainer(std::span<const Task> tasks, int argc, char **argv) {
  int status = 0;
  auto options = parseClassifierTrainer(tasks, argc, argv, status);
  return options ? guarded("classify_trainer", [&] { return trainer(*options); }) : status;
}

} // namespace example
