#include "examples/bert/app/Text.h"

#include "examples/common/Print.h"
#include "examples/common/Subwords.h"
#include "runtime/core/Error.h"
#include "runtime/data/Utf8.h"
#include "runtime/train/Progress.h"

using namespace axloom::runtime;

namespace example {

Vocabulary learnVocabulary(std::span<const Document> documents, int32_t size,
                           const std::string &path) {
  const std::string symbols[] = {maskUnit};
  return learnVocabulary(documents, size, Units::Bpe, path, symbols);
}

namespace {

// The units of what stands right behind a mask, which goes on with the word that the mask hides:
// the first one has no mark of a word's beginning, if there is such a unit.
std::vector<int32_t> encodeInWord(std::string_view text, const Vocabulary &units) {
  constexpr std::string_view wordMark = "\u2581"; // sentencepiece's
  std::vector<int32_t> ids = units.encode(text);
  std::string first = ids.empty() ? "" : units.piece(ids[0]);
  if (first == wordMark)
    ids.erase(ids.begin());
  else if (first.starts_with(wordMark))
    ids[0] = units.find(first.substr(wordMark.size())).value_or(ids[0]);
  return ids;
}

} // namespace

std::vector<int32_t> encodeMasked(std::string_view text, const Vocabulary &units, int64_t limit) {
  std::vector<int32_t> ids = {Vocabulary::begin};
  std::string_view mask = maskUnit, rest = text;
  auto append = [&](std::string_view part) {
    // Of a blank, which there are many of, no unit is left.
    bool isApart = units.encode(part.substr(0, utf8Length(part))).empty();
    bool goesOn = ids.size() > 1 && !isApart;
    std::vector<int32_t> more = goesOn ? encodeInWord(part, units) : units.encode(part);
    ids.insert(ids.end(), more.begin(), more.end());
  };
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
