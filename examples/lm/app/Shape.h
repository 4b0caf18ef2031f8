// What the programs have to know of a language model, read from the tables that it comes with: the
// same programs run any size of it.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>

namespace example {

struct TextShape {
  int32_t vocabulary; // size of the vocabulary
  int64_t length;     // positions of a text
  int64_t batch;      // the most texts of a call
};

// What generation needs. Throws Error (AXL_ERROR_ARGUMENT) if the model lacks one of these
// functions or tensors:
//   prefill(tokens_in [batch, position])
//   decode_step(token [batch], position [batch]) -> logits [batch, vocabulary]
TextShape generationShapeOf(const axl_model &model);

// What training needs, which generates too: those and
//   train_step(tokens_in [batch, position], tokens_out [batch, position], seed)
//       -> loss (mean for each real token), tokens (number of real tokens)
//   evaluate(tokens_in, tokens_out) -> loss (summed over the tokens), tokens
TextShape trainingShapeOf(const axl_model &model);

} // namespace example
