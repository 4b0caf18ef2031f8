// The search for the first tensor with infinity or not-a-number in it, while Model::checkFinite is
// on.
#pragma once

#include "runtime/core/ModelState.h"

namespace axloom::runtime {

// Looks through a call's arguments and all variables, none of which may lack its initial value,
// before the call. Throws AXL_ERROR_NOT_FINITE.
void checkFiniteInputs(const ModelState &model, const SessionState *session,
                       const axl_function &function, std::span<const axl_tensor> arguments);

// Looks through all parameters and state. Throws AXL_ERROR_NOT_FINITE.
void checkFiniteVariables(ModelState &model);

// Looks through what a kernel has written. Returns an axl_code and leaves a message.
int checkFiniteResults(const ModelState &model, const axl_kernel &kernel,
                       const axl_tensor *tensors);

} // namespace axloom::runtime
