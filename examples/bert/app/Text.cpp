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

std::vector<int32_t> encodeMasked(std::string_view text, const Vocabulary &units, int64_t limit) {
  std::vector<int32_t> ids = {Vocabulary::begin};
  auto append = [&](std::string_view part) {
    std::vector<int32_t> more = units.encode(part);
    ids.insert(ids.end(), more.begin(), more.end());
  };
  std::string_view mask = maskUnit, rest = text;
  if (rest.find(mask) == rest.npos)
    throw Error(AXL_ERROR_DATA, concat("there is no ", mask, " in '", text,
                                       "': put it in place of a word to guess"));
  for (size_t at; (at = rest.find(mask)) != rest.npos; rest.remove_prefix(at + mask.size())) {
    append(rest.substr(0, at));
    ids.push_back(units.id(mask));
  }
  append(rest);
  ids.push_back(Vocabulary::end);
  if (int64_t(ids.size()) > limit)
    throw Error(AXL_ERROR_DATA,
                concat("a text has ", ids.size(), " tokens with [CLS] and [SEP], the model takes ",
                       limit, ": '", text, "'"));
  return ids;
}

std::vector<Document> readText(const std::string &path) {
  std::vector<Document> texts = readDocuments(path);
  if (texts.size() == 1)
    throw Error(AXL_ERROR_DATA, concat("'", path,
                                       "' is a single document: put a blank line between "
                                       "documents, for pairs whose segments do not follow"));
  return texts;
}

std::vector<TokenDocument> encode(const char *split, std::span<const Document> texts,
                                  const Vocabulary &vocabulary) {
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
