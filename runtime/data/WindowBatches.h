// Running text as batches: contiguous windows of one long stream of tokens, for models that predict
// the next one. Shuffling depends on the seed and the epoch alone.
#pragma once

#include "runtime/data/Corpus.h"
#include "runtime/data/EpochBatches.h"
#include "runtime/data/Vocabulary.h"

namespace axloom::runtime {

// The ids of all documents, each between two end tokens.
std::vector<int32_t> tokenStream(std::span<const Document> documents, const Vocabulary &vocabulary);

struct WindowBatchOptions {
  int64_t length = 128;  // positions of a window
  int64_t tokens = 2048; // positions of a batch, at most; a window at least
  uint32_t seed = 1;
  bool shuffle = true; // false: in the order of the text, the same in each epoch (for validation)
};

// Each epoch goes through all windows once, and each token but the first is predicted once. Tensors
// of a batch, with B windows and S positions; the last window of the text may be shorter, and ends
// with padding:
//   tokens_in   [B, S] i32  what the model has heard
//   tokens_out  [B, S] i32  what comes next at each position: the same, one position later
class WindowBatches : public EpochBatches {
public:
  // Keeps a reference. Throws AXL_ERROR_DATA if there are fewer than two tokens, and
  // AXL_ERROR_ARGUMENT for a length below 1.
  WindowBatches(const std::vector<int32_t> &stream, const WindowBatchOptions &options);

  int64_t batchesInEpoch() const override;

private:
  void plan(int64_t epoch) override;
  void fill(Batch &batch, int64_t index) const override;
  int64_t predictions() const { return int64_t(stream.size()) - 1; }

  const std::vector<int32_t> &stream;
  WindowBatchOptions options;
  int64_t windows, windowsInBatch;
  std::vector<int32_t> order; // of the windows, in this epoch
};

} // namespace axloom::runtime
