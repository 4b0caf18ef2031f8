// The programs, around any models that fit examples/bert/app/Shape.h. They return what main
// returns.
#pragma once

#include "runtime/abi/axloom.h"

namespace example {

// Learns a vocabulary, pretrains: see Pretrain.cpp.
int runPretrain(const axl_model &model, int argc, char **argv);

// Trains classifiers, from scratch and from a pretrained encoder: see FineTune.cpp.
int runFineTune(const axl_model &model, int argc, char **argv);

// Guesses hidden words: see Fill.cpp.
int runFill(const axl_model &model, int argc, char **argv);

} // namespace example
