#include "examples/bert/app/Text.h"

#include "examples/common/Print.h"
#include "examples/common/Subwords.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"

using namespace axloom::runtime;

namespace example {

Vocabulary learnVocabulary(std::span<const Document> documents, int32_t size,
                           const std::string &path) {
  const std::string symbols[] = {maskUnit};
  return learnVocabulary(documents, size, Units::Bpe, path, symbols);
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
