// Scratch memory of running kernels: blocks are kept and used again, so that a step whose shapes
// were seen before never reaches the system's allocator, whichever thread runs which part of it.
//
// Blocks come in size classes. When a thread in a parallel loop holds more blocks of a class than
// any did before, the pool grows to that many for *every* thread: what other threads may need later
// is there already, for one thread that calls; each further one has blocks of its own after its
// first call. What a kernel holds around its loops is there once, and serves smaller needs around
// loops too. A thread in a loop keeps the blocks that it gives back, until it takes them again or
// ends: chunks of attention last some microseconds, in which threads would meet at the pool's lock.
// Tested by tests/runtime/ScratchPoolTest.cpp and AllocationTest.cpp.
#pragma once

#include <cstddef>

namespace axloom::runtime {

inline constexpr size_t scratchAlignment = 128; // of the widest vectors; a pair of cache lines

// Null when the system has no memory left.
void *allocateScratch(size_t bytes);
void releaseScratch(void *memory);

// Bytes that the pool has asked the system for, which rounds large blocks up to huge pages.
size_t scratchBytes();

} // namespace axloom::runtime
