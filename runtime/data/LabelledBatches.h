// Texts with labels as batches: texts of similar length together, padded to the longest of the
// batch. Shuffling depends on the seed and the epoch alone.
//
// Test: tests/runtime/LabelledBatchesTest.cpp
#pragma once

#include "runtime/data/EpochBatches.h"

namespace axloom::runtime {

// Ids of texts, and the class of each.
struct LabelledTokens {
  std::vector<std::vector<int32_t>> texts;
  std::vector<int32_t> labels;
};

struct LabelledBatchOptions {
  int64_t texts = 64; // of a batch
  // How many batches' texts are sorted by length together: fewer leave more to chance and more to
  // padding.
  int64_t window = 50;
  uint32_t seed = 1;
  bool shuffle = true;        // false: sorted by length, the same in each epoch (for validation)
  int32_t vocabularySize = 0; // ids at or above it throw AXL_ERROR_DATA; 0: no check
  int32_t classes = 0;        // so do labels
};

// Tensors of a batch, with B texts of up to S tokens:
//   tokens [B, S] i32  ids, padding (0)
//   labels [B]    i32
class LabelledBatches : public EpochBatches {
public:
  // Keeps a reference. Throws AXL_ERROR_DATA if there are no texts, or one has no token.
  LabelledBatches(const LabelledTokens &texts, const LabelledBatchOptions &options);

  int64_t batchesInEpoch() const override;

private:
  void plan(int64_t epoch) override;
  void fill(Batch &batch, int64_t index) const override;

  const LabelledTokens &tokens;
  LabelledBatchOptions options;
  std::vector<int32_t> order;                      // texts of this epoch, window after window
  std::vector<std::pair<int64_t, int64_t>> ranges; // of `order`, one for each batch
  std::vector<int32_t> batches;                    // the order of the ranges
};

} // namespace axloom::runtime
