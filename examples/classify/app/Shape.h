// What the programs have to know of a classifier, read from the tables that it comes with: the same
// programs run any size of it.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>

namespace example {

struct ClassifierShape {
  int32_t vocabulary; // rows of the table of words
  int32_t classes;
  int64_t length; // the most tokens of a text
  int64_t batch;  // the most texts of a call
};

// Throws Error (AXL_ERROR_ARGUMENT) if the model lacks one of these:
//   train_step(tokens [batch, position], labels [batch], seed, steps) -> loss (mean of the texts)
//   classify(tokens [batch, position]) -> log_probabilities [batch, class]
//   embedding.word.weight [vocabulary, model], a parameter
ClassifierShape classifierShapeOf(const axl_model &model);

} // namespace example
