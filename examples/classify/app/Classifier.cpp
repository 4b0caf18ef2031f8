#include "examples/classify/app/Classifier.h"

#include "examples/classify/app/Data.h"
#include "examples/common/AttentionPicture.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;

namespace example {

Classifier::Classifier(const axl_model &description, const std::string &path)
    : folder(path), modelShape(classifierShapeOf(description)), tokenizer(loadTokenizer(folder)),
      names(Labels::load(folder.labels)), model(description) {
  checkVocabulary(*tokenizer, modelShape);
  checkLabels(names, modelShape);
  loadCheckpoint(model, folder.checkpoint);
}

std::vector<Classified> Classifier::classify(std::span<const std::string> texts) {
  std::vector<Classified> answers(texts.size());
  LabelledTokens tokens;
  for (size_t i = 0; i < texts.size(); ++i) {
    TextTokens text = tokenizer->encode(texts[i], modelShape.length);
    answers[i].cut = text.cut;
    if (text.ids.empty())
      continue;
    tokens.texts.push_back(std::move(text.ids));
    tokens.labels.push_back(int32_t(i)); // who asked
  }
  if (tokens.texts.empty())
    return answers;
  LabelledBatches batches(tokens, {.texts = modelShape.batch, .shuffle = false});
  forEachBatch(batches, [&](Batch &batch) {
    auto results = model.run("classify", {{"tokens", batch.tensor("tokens")}});
    const Tensor &found = results[0].tensor; // [batch, class]
    auto askers = batch.tensor("labels").view<int32_t>();
    for (int64_t row = 0; row < batch.sentences; ++row)
      for (int64_t label = 0; label < names.size(); ++label)
        answers[size_t(askers[row])].probabilities.push_back(
            std::exp(found.view<float>()[row * found.extent(1) + label]));
  });
  return answers;
}

void Classifier::drawAttention(const std::string &text, const std::string &path) {
  TextTokens tokens = tokenizer->encode(text, modelShape.length);
  if (tokens.ids.empty())
    throw Error(AXL_ERROR_DATA, "there is nothing to read in the text whose attention to draw");
  std::vector<std::string> units;
  for (int32_t id : tokens.ids)
    units.push_back(tokenizer->piece(id));
  example::drawAttention(model, tokens.ids, units, path);
}

} // namespace example
