// Sentence pairs as batches: pairs of similar length together, padded to the longest of the batch,
// with masks; or any pairs, packed one after the other. Shuffling depends on the seed and the epoch
// alone.
#pragma once

#include "runtime/data/Corpus.h"
#include "runtime/data/EpochBatches.h"
#include "runtime/data/Vocabulary.h"

namespace axloom::runtime {

// Ids of sentence pairs, without begin and end.
struct TokenPairs {
  std::vector<std::vector<int32_t>> source;
  std::vector<std::vector<int32_t>> target;
  int64_t tooLong = 0; // pairs left out because a side exceeds the limit
};

// Encodes both sides. Pairs with more than `maximumLength` tokens on a side, end included, are left
// out and counted.
TokenPairs tokenize(std::span<const SentencePair> pairs, const Vocabulary &vocabulary,
                    int64_t maximumLength);

enum class PairLayout {
  ByLength,   // padded, pairs of similar length together
  AsTheyCome, // padded, any pairs together
  Packed      // without padding, any pairs together: for functions that take ragged sentences
};

struct PairBatchOptions {
  // A batch holds at most this many positions on either side, padding included, or a single pair.
  int64_t tokens = 2048;
  PairLayout layout = PairLayout::ByLength;
  int64_t maximumSentences = 512;
  uint32_t seed = 1;
  bool shuffle = true;        // false: the same order in each epoch (for validation)
  int32_t vocabularySize = 0; // ids at or above it throw AXL_ERROR_DATA; 0: no check
};

// Tensors of a batch, with B sentences, S source and T target positions:
//   source        [B, S] i32  source ids, end, padding
//   source_mask   [B, S] i1   true where source is a real token
//   source_length [B]    i32
//   target_in     [B, T] i32  begin, target ids, padding: what the decoder has heard before
//   target_out    [B, T] i32  target ids, end, padding: what it has to say
//   target_mask   [B, T] i1   true where target_out is a real token
//   target_length [B]    i32
// Packed, with the real tokens of one sentence after the other:
//   source, target_in, target_out  [tokens] i32
//   S.lengths, T.lengths           [B]      i32
class PairBatches : public EpochBatches {
public:
  PairBatches(const TokenPairs &pairs, const PairBatchOptions &options); // keeps a reference

  int64_t batchesInEpoch() const override;

private:
  void plan(int64_t epoch) override;
  void fill(Batch &batch, int64_t index) const override;
  bool isPacked() const { return options.layout == PairLayout::Packed; }

  const TokenPairs &pairs;
  PairBatchOptions options;
  std::vector<int32_t> order;                      // pairs of this epoch, batch after batch
  std::vector<std::pair<int64_t, int64_t>> ranges; // of `order`, one for each batch
};

} // namespace axloom::runtime
