// The entries of a ragged batch, one after the other: a kernel sees each as a dense problem.
#pragma once

#include "runtime/abi/axloom.h"

namespace axloom::runtime {

// The entries of a ragged kernel's batch.
int64_t entryCount(const axl_kernel &kernel, const axl_tensor *tensors);

// Narrows the ragged tensors to one entry, and sets the size scalars that carry its lengths.
void narrowToEntry(const axl_kernel &kernel, int64_t entry, const axl_tensor *tensors,
                   axl_tensor *narrowed, int32_t *sizes);

} // namespace axloom::runtime
