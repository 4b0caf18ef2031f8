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
  // `folder` has model.safetensors and vocab.txt; `names` is the table of their names. Throws Error
  // where one of them cannot be read or does not fit.
  Embedder(const axl_model &model, const std::string &folder, const std::string &names);

  // A vector of length 1 for each text. Texts of more tokens than the model has positions are cut;
  // `cut` counts them.
  std::vector<std::vector<float>> embed(std::span<const std::string> texts, int64_t &cut);

  axloom::runtime::Model model;
  axloom::runtime::WordPiece vocabulary;

private:
  int64_t longest, batch; // the most tokens of a text, texts of a call
};

} // namespace example
