// The program `chat`, around any model that fits examples/lm/app/Shape.h.
#pragma once

#include "runtime/abi/axloom.h"

namespace example {

int runChat(const axl_model &model, int argc, char **argv);

} // namespace example
