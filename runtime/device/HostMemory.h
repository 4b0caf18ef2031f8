// Memory of the host: what arenas, variables, scratch and tensors are made of.
#pragma once

#include <cstddef>

namespace axloom::runtime {

// At least `bytes`, at a multiple of `alignment` (a power of two); large blocks ask the system for
// huge pages. Null when there is no memory left. std::free gives it back.
void *allocateHostMemory(size_t bytes, size_t alignment);

} // namespace axloom::runtime
