// A checkpoint: parameters and state of a model (optimizer state included) and the place where
// training stands, in one safetensors file that is written atomically and checked when it is read.
// The format is described in runtime/checkpoint/Safetensors.h.
#pragma once

#include "runtime/checkpoint/FileLayer.h"
#include "runtime/core/Model.h"
#include "runtime/data/BatchSource.h"

#include <optional>

namespace axloom::runtime {

// By which a batch is known again.
struct SeenBatch {
  DataPosition position;
  uint32_t checksum = 0;

  bool operator==(const SeenBatch &) const = default;
};

// Where training stands. A run that is resumed from here makes the same bits as one that went on,
// so nothing here depends on the clock.
struct TrainingPosition {
  DataPosition data;                     // the batch that comes next
  int64_t step = 0;                      // optimizer steps done
  uint32_t seed = 0;                     // of random ops
  int64_t tokens = 0;                    // target tokens seen
  std::optional<double> validation = {}; // loss of a checkpoint that is kept for it
  std::optional<SeenBatch> last = {};    // the batch of the last step; older checkpoints do not say
};

struct LoadedCheckpoint {
  TrainingPosition position;
  bool sameGraph = true; // false: same tensors, but the model's graph has changed since
};

void saveCheckpoint(const Model &model, const TrainingPosition &position, const std::string &path,
                    FileLayer &files = FileLayer::system());

// For programs that train: all of a checkpoint, which must hold what the model has and nothing
// else. Throws AXL_ERROR_FILE, AXL_ERROR_FORMAT (truncated, a flipped byte), or
// AXL_ERROR_CHECKPOINT with the first of the tensors that are missing, surplus or of another type
// or shape ("and N more"). The model is unchanged then.
LoadedCheckpoint loadCheckpoint(Model &model, const std::string &path);

// For programs that use what was trained, whose model may be a part of the trained one (--functions
// of a generator), without the optimizer's state: all variables that the model has. What else the
// checkpoint holds is not read. Throws as above, but for surplus tensors.
void loadParameters(Model &model, const std::string &path);

// The position alone, from the file's header; throws as loadCheckpoint.
TrainingPosition readPosition(const std::string &path);

} // namespace axloom::runtime
