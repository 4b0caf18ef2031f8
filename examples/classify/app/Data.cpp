#include "examples/classify/app/Data.h"

#include "examples/common/Print.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"

using namespace axloom::runtime;

namespace example {
namespace {

LabelledFile read(const std::string &path) { return {path, readLabelledTexts(path)}; }

} // namespace

LabelledCorpus readLabelledCorpus(const std::string &folder) {
  return {read(folder + "/train.tsv"), read(folder + "/valid.tsv"), read(folder + "/test.tsv")};
}

void checkVocabulary(const Tokenizer &tokenizer, const ClassifierShape &shape) {
  if (tokenizer.size() != shape.vocabulary)
    throw Error(AXL_ERROR_DATA,
                concat("the vocabulary has ", tokenizer.size(),
                       " units, but the model was compiled for ", shape.vocabulary,
                       ": it belongs to another model. Choose the --task that it is of, or train "
                       "anew"));
}

void checkLabels(const Labels &labels, const ClassifierShape &shape) {
  if (labels.size() > shape.classes)
    throw Error(AXL_ERROR_DATA, concat("the training texts have ", labels.size(),
                                       " labels, but the model was compiled for ", shape.classes,
                                       " classes: compile it with --set classes=", labels.size()));
}

LabelledTokens encode(const char *split, const LabelledFile &file, const Tokenizer &tokenizer,
                      const Labels &labels, const ClassifierShape &shape) {
  std::vector<int32_t> classes = labels.classesOf(file.texts, file.path);
  LabelledTokens tokens;
  int64_t count = 0, cut = 0;
  for (size_t i = 0; i < file.texts.size(); ++i) {
    TextTokens text = tokenizer.encode(file.texts[i].text, shape.length);
    if (text.ids.empty())
      continue;
    count += int64_t(text.ids.size());
    cut += text.cut;
    tokens.texts.push_back(std::move(text.ids));
    tokens.labels.push_back(classes[i]);
  }
  print("{}: {} texts, {} tokens", split, formatCount(int64_t(tokens.texts.size())),
        formatCount(count));
  if (cut > 0)
    print("{}: cut {} texts with more than {} tokens, the model's limit", split, formatCount(cut),
          shape.length);
  if (tokens.texts.empty())
    throw Error(AXL_ERROR_DATA, concat("'", file.path, "' has no text with anything to read"));
  if (size_t empty = file.texts.size() - tokens.texts.size(); empty > 0)
    print("{}: left out {} texts without anything to read", split, formatCount(int64_t(empty)));
  return tokens;
}

} // namespace example
