// Reads the `tokenizer.json` of a byte-level BPE, and refuses what would change ids in a way that
// is not known here.
#pragma once

#include "runtime/data/WordPattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace axloom::runtime {

struct ByteBpeFile {
  struct Merge {
    int32_t left, right, joined;
  };
  struct Added {
    std::string spelling;
    int32_t id;
    bool special;
    bool normalized; // is looked for in text that is in its normal form already
  };

  std::unordered_map<std::string, int32_t> vocabulary; // without what was added
  std::optional<int32_t> unknown;                      // for bytes without a unit
  std::vector<Merge> merges;                           // the first is done first
  bool ignoresMerges = false;                          // for words that are units
  bool composes = false;                               // text comes in normal form C
  std::vector<WordCut> cuts;
  std::vector<Added> added;
};

// Throws AXL_ERROR_FILE or AXL_ERROR_FORMAT. Ids are from 0 to INT32_MAX - 1, and each unit has one
// of its own.
ByteBpeFile readByteBpe(const std::string &path);

} // namespace axloom::runtime
