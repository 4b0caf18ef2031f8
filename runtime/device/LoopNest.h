// Runs a kernel on the host: its loops over chunks, and for each chunk the kernel's blocks.
#pragma once

#include "runtime/abi/axloom.h"

namespace axloom::runtime {

// The tensors of one chunk: `tensors` narrowed by chunk number `index` of loop `loop`. Returns the
// name of a problem, or null.
const char *narrowToChunk(const axl_kernel &kernel, int32_t loop, int64_t index,
                          const axl_tensor *tensors, axl_tensor *narrowed);

} // namespace axloom::runtime
