// What the programs have to know of the model, read from the tables that it comes with: the same
// programs run any size of it.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>

namespace example {

struct PretrainingShape {
  int32_t vocabulary;
  int64_t length; // of a pair, in tokens
  int64_t pairs;  // of a batch, at most
};

// Throws Error (AXL_ERROR_ARGUMENT) if the model lacks what examples/bert/model.cpp offers.
PretrainingShape pretrainingShape(const axl_model &model);

} // namespace example
