#include "runtime/data/WordPiece.h"

#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"
#include "runtime/data/BertText.h"
#include "runtime/data/Utf8.h"

using namespace axloom::runtime;

static constexpr size_t longestWord = 100; // characters

WordPiece WordPiece::load(const std::string &path) {
  std::string contents = readWhole(path);
  WordPiece vocabulary;
  for (std::string_view rest = withoutMark(contents); !rest.empty();) {
    std::string line(takeLine(rest));
    auto id = int32_t(vocabulary.units.size());
    if (!vocabulary.ids.emplace(line, id).second)
      throw Error(AXL_ERROR_FORMAT,
                  concat(path, ":", id + 1, ": the unit '", line, "' is there already, in line ",
                         vocabulary.ids.at(line) + 1));
    vocabulary.units.push_back(line);
  }
  constexpr const char *names[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]"};
  for (size_t i = 0; i < std::size(names); ++i) {
    auto found = vocabulary.ids.find(names[i]);
    if (found == vocabulary.ids.end())
      throw Error(AXL_ERROR_FORMAT,
                  concat("'", path, "' is no vocabulary of BERT: it has no unit ", names[i]));
    vocabulary.special[i] = found->second;
  }
  return vocabulary;
}

int32_t WordPiece::id(std::string_view unit) const {
  auto found = ids.find(std::string(unit));
  if (found == ids.end())
    throw Error(AXL_ERROR_DATA, concat("the vocabulary has no unit '", unit, "'"));
  return found->second;
}

const std::string &WordPiece::unit(int32_t id) const {
  if (id < 0 || id >= size())
    throw Error(AXL_ERROR_DATA, concat("token ", id, " is outside the vocabulary of ", size()));
  return units[size_t(id)];
}

std::vector<int32_t> WordPiece::encode(std::string_view text) const {
  std::vector<int32_t> found;
  for (const std::string &word : bertWords(text))
    encodeWord(word, found);
  return found;
}

void WordPiece::encodeWord(std::string_view word, std::vector<int32_t> &found) const {
  std::vector<size_t> ends = {0}; // of the word's characters
  while (ends.back() < word.size())
    ends.push_back(ends.back() + utf8Length(word.substr(ends.back())));
  size_t known = found.size(), characters = ends.size() - 1;
  for (size_t begin = 0; begin < characters;) {
    size_t end = characters > longestWord ? begin : characters;
    for (; end > begin; --end) {
      std::string unit(begin > 0 ? "##" : "");
      unit += word.substr(ends[begin], ends[end] - ends[begin]);
      if (auto id = ids.find(unit); id != ids.end()) {
        found.push_back(id->second);
        break;
      }
    }
    if (end == begin) { // nothing fits: the whole word is unknown
      found.resize(known);
      found.push_back(unknown());
      return;
    }
    begin = end;
  }
}
