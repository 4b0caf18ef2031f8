// Corpus BLEU as sacrebleu computes it by default: tokenizer 13a, mixed case, exponential
// smoothing, one reference for each sentence.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace axloom::runtime {

struct Bleu {
  double score = 0;                   // 0 to 100
  std::array<double, 4> precisions{}; // in percent, of 1- to 4-grams
  double brevityPenalty = 0;
  int64_t systemLength = 0; // tokens
  int64_t referenceLength = 0;

  // "BLEU 27.31 (58.9/33.1/21.0/13.8, brevity 1.000, length 6503/6491)"
  std::string text() const;
};

// Throws AXL_ERROR_ARGUMENT if the two differ in length.
Bleu corpusBleu(std::span<const std::string> systems, std::span<const std::string> references);

// The tokens of a segment: mteval-v13a's rules with sacrebleu's details.
std::vector<std::string> tokenize13a(std::string_view text);

} // namespace axloom::runtime
