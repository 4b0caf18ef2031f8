// A bundle that is linked as a shared library, which models.py does.
#pragma once

#include "runtime/abi/axloom.h"

#include <string>

namespace axloom::bench {

// The tables of a model; its library stays loaded. Throws Error (AXL_ERROR_FILE).
const axl_model &load(const std::string &library, const std::string &model);

} // namespace axloom::bench
