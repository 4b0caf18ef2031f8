// Initial values of variables, reproducible whatever the number of threads.
#pragma once

#include "runtime/core/View.h"

namespace axloom::runtime {

// Fills `destination`, which has the variable's type and extents.
void initialize(const axl_variable_info &variable, uint32_t seed, const AnyView &destination);

} // namespace axloom::runtime
