// From text to token ids, and what is kept of that in the folder of a run.
#pragma once

#include "examples/common/RunFolder.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace example {

struct TextTokens {
  std::vector<int32_t> ids; // empty if the text has nothing to read
  bool cut = false;         // there were more than the limit
};

class Tokenizer {
public:
  virtual ~Tokenizer() = default;

  // At most `limit` ids, those of the beginning.
  virtual TextTokens encode(std::string_view text, int64_t limit) const = 0;
  virtual int32_t size() const = 0;
  // The unit behind an id, for pictures.
  virtual std::string piece(int32_t id) const = 0;
};

// Subword units learned from the texts, which it leaves in the run's folder.
std::unique_ptr<Tokenizer> learnTokenizer(std::span<const std::string_view> texts, int32_t size,
                                          const RunFolder &folder);
// BERT's WordPiece, between [CLS] and [SEP], with the list of units in the file `words`; keepWords
// leaves that in the run's folder.
std::unique_ptr<Tokenizer> publishedTokenizer(const std::string &words);
void keepWords(const std::string &words, const RunFolder &folder);
// What one of them has left there, without the other. Throws Error (AXL_ERROR_FILE) if that is
// nothing.
std::unique_ptr<Tokenizer> loadTokenizer(const RunFolder &folder);

} // namespace example
