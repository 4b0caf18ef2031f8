// The two programs, around any model that fits examples/lm/app/Shape.h. They return what main
// returns.
#pragma once

#include "runtime/abi/axloom.h"

namespace example {

// Learns a vocabulary, trains, evaluates: see Trainer.cpp.
int runTextTrainer(const axl_model &model, int argc, char **argv);

// Goes on with the texts on the command line: see Generate.cpp.
int runGenerate(const axl_model &model, int argc, char **argv);

} // namespace example
