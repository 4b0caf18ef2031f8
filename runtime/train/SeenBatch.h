// Whether a run that is resumed goes on with the batches that it had before.
#pragma once

#include "runtime/checkpoint/Checkpoint.h"

namespace axloom::runtime {

// What is kept of a batch that a step has used, and that lay at this position.
SeenBatch seen(const DataPosition &position, const Batch &batch);

// Makes the last batch before `position` again: whether it is the same one, and followed by
// `position.data`. True where nothing is known of it. Leaves the source anywhere.
bool goesOn(BatchSource &batches, const TrainingPosition &position);

} // namespace axloom::runtime
