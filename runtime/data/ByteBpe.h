// The byte-level units of published decoders (GPT-2, Llama 3, Qwen 2 and 2.5, SmolLM2): a text is
// cut into words, and in each word units that begin as bytes are joined, pair by pair, in the order
// in which the pairs were learned (Sennrich et al. 2016; Radford et al. 2019, section 2.2). Ids are
// those of the library `tokenizers`.
#pragma once

#include "runtime/data/AddedTokens.h"
#include "runtime/data/PairMerges.h"
#include "runtime/data/WordPattern.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace axloom::runtime {

class ByteBpe {
public:
  // A `tokenizer.json` of Hugging Face. Throws AXL_ERROR_FILE, or AXL_ERROR_FORMAT where it is none
  // of a byte-level BPE or asks for something that is not known here. What it says of begin and end
  // (post_processor), of padding and of the longest text is up to the caller.
  static ByteBpe load(const std::string &path);

  // One more than the largest id, added tokens included.
  int32_t size() const { return largest + 1; }
  // Ids of a text, without begin and end. All of it is text: where something is spelled like a
  // special token, it is cut like anything else, so that no text passes for one; added tokens that
  // are not special, such as <tool_call> of Qwen 2.5, are found in it. A byte that is no UTF-8
  // counts as a character that is no letter, number or space. One without a unit of its own (in
  // SmolLM2, some control characters) becomes the unknown unit, or vanishes where there is none.
  std::vector<int32_t> encode(std::string_view text) const;
  // The text of ids, as bytes: the first and the last character may be parts. Special tokens
  // vanish. Ids outside the vocabulary throw AXL_ERROR_DATA.
  std::string decode(std::span<const int32_t> ids) const;
  // The id of a unit, as the file spells it, or of an added token such as <|im_start|>; nothing
  // where there is none.
  std::optional<int32_t> find(std::string_view unit) const;
  // The same, but throws AXL_ERROR_DATA.
  int32_t id(std::string_view unit) const;
  // The unit behind an id, as the file spells it, for messages and pictures.
  const std::string &unit(int32_t id) const;

private:
  struct Unit {
    std::string spelling;
    std::string bytes; // what it adds to a text
  };

  void addUnit(const std::string &spelling, int32_t id, const std::string &bytes);
  const Unit &at(int32_t id) const;
  void encodeText(std::string_view text, std::span<const WordCut> steps,
                  std::vector<int32_t> &found) const;
  void encodeWord(std::string_view word, std::vector<int32_t> &found) const;

  int32_t largest = -1;
  std::unordered_map<int32_t, Unit> units;
  std::unordered_map<std::string, int32_t> idOfUnit; // by its spelling
  bool composes = false;                             // text comes in normal form C
  AddedTokens added, addedComposed;                  // those found before and after that
  std::vector<WordCut> cuts;
  std::array<std::optional<int32_t>, 256> letters; // units of single bytes
  std::unordered_map<std::string, int32_t> words;  // units that a whole word becomes at once
  PairMerges merges;
};

} // namespace axloom::runtime
