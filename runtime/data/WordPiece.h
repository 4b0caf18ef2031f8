// The subword units of BERT: a word is cut, from its beginning, into the longest units that the
// vocabulary has (Wu et al. 2016; Devlin et al. 2018).
#pragma once

#include "runtime/core/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace axloom::runtime {

class WordPiece {
public:
  // A text file with a unit a line, whose number, from 0, is its id; units that go on inside a word
  // begin with ##. Throws AXL_ERROR_FILE, or AXL_ERROR_FORMAT where a unit is there twice or
  // [PAD], [UNK], [CLS] or [SEP] is missing.
  static WordPiece load(const std::string &path);

  int32_t size() const { return int32_t(units.size()); }
  int32_t padding() const { return special[0]; }
  int32_t unknown() const { return special[1]; }
  int32_t start() const { return special[2]; }     // [CLS]
  int32_t separator() const { return special[3]; } // [SEP]
  // The id of a unit such as [MASK]; throws AXL_ERROR_DATA where there is none.
  int32_t id(std::string_view unit) const;
  // The unit behind an id, for messages and pictures.
  const std::string &unit(int32_t id) const;

  // Ids of a text, without [CLS] and [SEP]. A word of more than 100 characters, and one that the
  // units do not make, is unknown.
  std::vector<int32_t> encode(std::string_view text) const;

private:
  void encodeWord(std::string_view word, std::vector<int32_t> &ids) const;

  std::vector<std::string> units;
  std::unordered_map<std::string, int32_t> ids;
  int32_t special[4] = {};
};

// A vocabulary for models that take 0 for padding, and so would not see a unit of that number.
// Throws AXL_ERROR_DATA where [PAD] is another one, and as WordPiece::load does.
inline WordPiece loadPaddedWithZeros(const std::string &path) {
  WordPiece vocabulary = WordPiece::load(path);
  if (vocabulary.padding() != 0)
    throw Error(AXL_ERROR_DATA,
                concat("the vocabulary '", path, "' has [PAD] as unit ", vocabulary.padding(),
                       ", but the model takes unit 0 for padding, which is '", vocabulary.unit(0),
                       "' there: [PAD] must be in the first line"));
  return vocabulary;
}

} // namespace axloom::runtime
