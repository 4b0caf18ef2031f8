// The two programs, around any model that fits examples/translate/app/Shape.h. They return what
// main returns.
#pragma once

#include "runtime/abi/axloom.h"

namespace example {

// Learns a vocabulary, trains, evaluates: see Trainer.cpp.
int runTrainer(const axl_model &model, int argc, char **argv);

// Translates arguments or lines of standard input: see Translate.cpp.
int runTranslate(const axl_model &model, int argc, char **argv);

} // namespace example
