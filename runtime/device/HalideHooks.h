// What Halide's runtime asks of its host: scratch memory and a place to report errors.
#pragma once

#include <string>

namespace axloom::runtime {

// Replaces Halide's allocator by the pool of ScratchPool.h and its error handler (which ends the
// program) by one that keeps the message. Can be called any number of times.
void installHalideHooks();

// The message that a pipeline left in this thread (or, failing that, in a thread of the pool) since
// the last call; empty if there was none.
std::string takePipelineMessage();

} // namespace axloom::runtime
