// What Halide's runtime asks of its host: scratch memory, a place to report errors, and which
// threads are in a parallel loop.
#pragma once

#include <string>

namespace axloom::runtime {

// Replaces Halide's allocator by the pool of ScratchPool.h and its error handler (which ends the
// program) by one that keeps the message, and counts tasks. Can be called any number of times.
void installHalideHooks();

// The message that a pipeline left in this thread (or, failing that, in a thread of the pool) since
// the last call; empty if there was none.
std::string takePipelineMessage();

// Whether this thread works on a task of a parallel loop, as other threads may do at the same time.
bool insideParallelLoop();

} // namespace axloom::runtime
