// What the programs have to know of a translation model, read from the tables that it comes with:
// the same programs run any size of it.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>

namespace example {

struct ModelShape {
  int32_t vocabulary;   // size of the joint vocabulary
  int64_t sourceLength; // longest source, in tokens, end included
  int64_t targetLength; // longest target, in tokens, end included: the capacity of the caches
  int64_t batch;        // most sentences of a batch
  bool packed;          // training and validation take sentences one after the other, unpadded
};

// Throws Error (AXL_ERROR_ARGUMENT) if the model lacks one of these functions or tensors:
//   train_step(source [batch, source], target_in [batch, target], target_out [batch, target], seed)
//       -> loss (mean for each real target token), tokens (number of real target tokens)
//   evaluate(source, target_in, target_out) -> loss (summed over the target tokens), tokens
//   encode(source)
//   decode_step(token [batch], position) -> logits [batch, vocabulary]
// The first two may take packed sentences instead: source, target_in and target_out [tokens], with
// their lengths S.lengths and T.lengths [batch].
ModelShape shapeOf(const axl_model &model);

// Throws Error (AXL_ERROR_ARGUMENT) if a sentence cannot have so many rows of a batch or, with more
// than one, if the model lacks
//   reorder(parent [batch])
void needsBeams(const axl_model &model, int64_t beams);

} // namespace example
