// The program `lm-trainer`. In order:
//  1. open the model, read the documents;
//  2. take up the checkpoint and its vocabulary (--resume), or start anew and learn a vocabulary;
//  3. encode the documents into one stream of tokens;
//  4. train until the limit, or until a signal; validate and save now and then;
//  5. draw the loss curve;
//  6. perplexity of the validation documents, and texts that begin as some of them do.
#include "examples/common/Print.h"
#include "examples/common/Subwords.h"
#include "examples/common/Tables.h"
#include "examples/common/Training.h"
#include "examples/lm/app/Options.h"
#include "examples/lm/app/Programs.h"
#include "examples/lm/app/Shape.h"
#include "examples/lm/app/Writer.h"
#include "runtime/data/WindowBatches.h"
#include "runtime/train/Evaluate.h"
#include "runtime/train/Progress.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;

namespace example {
namespace {

constexpr size_t sampleCount = 4, sampleWords = 4;

std::vector<int32_t> encode(const char *split, std::span<const Document> documents,
                            const Vocabulary &vocabulary) {
  std::vector<int32_t> stream = tokenStream(documents, vocabulary);
  print("{}: {} documents, {} tokens", split, formatCount(int64_t(documents.size())),
        formatCount(int64_t(stream.size())));
  return stream;
}

WindowBatchOptions batchOptions(int64_t tokens, const TextShape &shape, uint32_t seed,
                                bool shuffle) {
  return {.length = shape.length, .tokens = tokens, .seed = seed, .shuffle = shuffle};
}

// The first words of a text.
std::string beginningOf(const std::string &text) {
  size_t end = 0;
  for (size_t word = 0; word < sampleWords && end != std::string::npos; ++word)
    end = text.find(' ', end + 1);
  return text.substr(0, end);
}

// `positions`: those of the model, at least half of which are left for it to write.
void printSamples(Model &model, const Vocabulary &vocabulary, std::span<const Document> documents,
                  int64_t positions) {
  size_t samples = std::min(sampleCount, documents.size());
  std::vector<Writer::Beginning> beginnings;
  for (size_t i = 0; i < samples; ++i) {
    std::string text = beginningOf(documents[i * documents.size() / samples].front());
    if (!vocabulary.encode(text).empty()) // as that of a text of invisible characters
      beginnings.push_back({text, 1, size_t(positions / 2)});
  }
  print("{} texts that begin as validation documents do:", beginnings.size());
  for (const Writer::Text &text : Writer(model, vocabulary, usualSampling, 0).write(beginnings))
    print("\n  {}", text.text);
}

int trainer(const axl_model &description, const TextTrainerOptions &options) {
  TextShape shape = trainingShapeOf(description);
  Model model(description, options.seed.value_or(1));
  print("model: {} parameters, vocabulary {}, {} positions",
        formatCount(countParameters(description)), formatCount(shape.vocabulary), shape.length);

  int64_t batchTokens = batchSize("--batch-tokens", options.batchTokens, 2048,
                                  shape.batch * shape.length, "positions");
  std::vector<Document> trainText = readDocuments(options.data + "/train.txt"),
                        validText = readDocuments(options.data + "/valid.txt");
  RunFolder folder(options.folder);
  TrainingPosition position = begin(model, folder, options);
  Vocabulary vocabulary =
      options.usesCheckpoint()
          ? loadVocabulary(folder.vocabulary, shape.vocabulary)
          : learnVocabulary(trainText, shape.vocabulary, options.units, folder.vocabulary);

  std::vector<int32_t> valid = encode("valid", validText, vocabulary);
  WindowBatches validBatches(valid, batchOptions(batchTokens, shape, position.seed, false));
  auto validate = [&](Model &model) { return evaluate(model, validBatches); };
  Validation validation;
  if (options.trains()) {
    std::vector<int32_t> stream = encode("train", trainText, vocabulary);
    WindowBatches batches(stream, batchOptions(batchTokens, shape, position.seed, true));
    print("training: {} batches an epoch", formatCount(batches.batchesInEpoch()));
    TrainOptions train = trainOptions(options, folder, position.seed, validate);
    if (!trainAndReport(model, batches, position, train, folder, "Loss for each token", validation))
      return stoppedBySignal;
  } else {
    validation = validate(model);
  }
  print("validation perplexity {:.3f}", std::exp(validation.loss));
  printSamples(model, vocabulary, validText, shape.length);
  return 0;
}

} // namespace

int runTextTrainer(const axl_model &model, int argc, char **argv) {
  int status = 0;
  std::optional<TextTrainerOptions> options = parseTextTrainer(argc, argv, status);
  return options ? guarded("lm-trainer", [&] { return trainer(model, *options); }) : status;
}

} // namespace example
