#include "examples/bert/app/Text.h"

#include "examples/common/Print.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"

#include <filesystem>

using namespace axloom::runtime;

namespace example {

Vocabulary learnVocabulary(std::span<const Document> documents, int32_t size,
                           const std::string &path) {
  print("learning a vocabulary of {} units", formatCount(size));
  std::vector<std::string_view> lines;
  for (const Document &document : documents)
    lines.insert(lines.end(), document.begin(), document.end());
  const std::string symbols[] = {maskUnit};
  Vocabulary::learn(lines, size, path, Units::Bpe, symbols);
  return Vocabulary::load(path);
}

Vocabulary loadVocabulary(const std::string &path, int32_t size) {
  if (!std::filesystem::exists(path))
    throw Error(AXL_ERROR_FILE, concat("there is no vocabulary '", path,
                                       "': name the folder that bert_pretrain has written"));
  Vocabulary vocabulary = Vocabulary::load(path);
  if (vocabulary.size() != size)
    throw Error(AXL_ERROR_DATA,
                concat("the vocabulary '", path, "' has ", vocabulary.size(),
                       " units, but the model was compiled for ", size,
                       ": it belongs to another model. Pretrain anew, without --resume"));
  vocabulary.id(maskUnit);
  return vocabulary;
}

std::vector<TokenDocument> readTokens(const std::string &split, const std::string &path,
                                      const Vocabulary &vocabulary) {
  std::vector<Document> texts = readDocuments(path);
  if (texts.size() == 1)
    throw Error(AXL_ERROR_DATA, concat("'", path,
                                       "' is a single document: put a blank line between "
                                       "documents, for pairs whose segments do not follow"));
  std::vector<TokenDocument> documents = tokenize(texts, vocabulary);
  int64_t sentences = 0, tokens = 0;
  for (const TokenDocument &document : documents)
    for (const auto &sentence : document) {
      ++sentences;
      tokens += int64_t(sentence.size());
    }
  print("{}: {} documents, {} sentences, {} tokens", split, formatCount(int64_t(documents.size())),
        formatCount(sentences), formatCount(tokens));
  return documents;
}

} // namespace example
