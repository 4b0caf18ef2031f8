//===- RaggedModel.h - The Transformer, padded and ragged -------*- C++ -*-===//
//
// One model, declared twice over the same parameters: with padded axes and masks, and with ragged
// axes. Functions: `evaluate` gives the encoder's output, all logits and the loss of each token;
// `descend` subtracts the gradient of their sum, so that what changes is the gradient. Special
// tokens are as in the example.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <string>

namespace axloom::test {
enum class Padding { Padded, Ragged };

/// Positions of a sentence, and tokens known.
inline constexpr int raggedLength = 80, raggedVocabulary = 40, raggedWidth = 32;

/// The graph; at most 16 sentences B of source lengths S and target lengths T.
std::string encoderDecoder(Padding padding);
} // namespace axloom::test
