// The program `embed`.
#pragma once

#include "runtime/abi/axloom.h"

namespace example {

int runNearest(const axl_model &model, int argc, char **argv);

} // namespace example
