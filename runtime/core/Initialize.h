// Initial values of variables, reproducible whatever the number of threads.
#pragma once

#include "runtime/core/View.h"

namespace axloom::runtime {

// Throws AXL_ERROR_INTERNAL where the variable's table entry has no initial values of its type.
void requireInitializer(const axl_variable_info &variable);

// Fills `destination`, which has the variable's type and extents. Throws as above.
void initialize(const axl_variable_info &variable, uint32_t seed, const AnyView &destination);

} // namespace axloom::runtime
