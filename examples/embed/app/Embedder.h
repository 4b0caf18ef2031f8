// Texts to vectors, with a compiled model, its weights and its vocabulary.
#pragma once

#include "runtime/core/Model.h"
#include "runtime/data/WordPiece.h"

#include <span>
#include <string>
#include <vector>

namespace example {

class Embedder {
public:
  // `folder` has model.safetensors, or its shards, and vocab.txt; `names` is the table of their
  // names. Throws Error where one of them cannot be read or does not fit.
  Embedder(const axl_model &model, const std::string &folder, const std::string &names);

  // A vector of length 1 for each text. Texts of more tokens than the model has positions are cut;
  // `cut` counts them.
  std::vector<std::vector<float>> embed(std::span<const std::string> texts, int64_t &cut);

  // Writes a picture (.png or .svg) of what the model looks at in a text; `cut` as above.
  void drawAttention(const std::string &text, const std::string &path, int64_t &cut);

  // The most tokens of a text, [CLS] and [SEP] among them.
  int64_t limit() const { return longest; }

  axloom::runtime::Model model;
  axloom::runtime::WordPiece vocabulary;

private:
  // [CLS], units, [SEP], as many as the model takes; `cut` counts texts that have more.
  std::vector<int32_t> idsOf(const std::string &text, int64_t &cut) const;

  int64_t longest, batch; // the most tokens of a text, texts of a call
};

} // namespace example
