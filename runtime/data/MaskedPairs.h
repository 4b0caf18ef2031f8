// Pairs of text segments as batches for BERT's pretraining (Devlin et al. 2018, section 3.1):
// whether the second segment follows the first, and some tokens that are hidden or changed. Both
// are drawn anew in each epoch; all depends on the seed and the epoch alone.
//
// Test: tests/runtime/MaskedPairsTest.cpp
#pragma once

#include "runtime/data/Corpus.h"
#include "runtime/data/EpochBatches.h"
#include "runtime/data/Vocabulary.h"

namespace axloom::runtime {

using TokenDocument = std::vector<std::vector<int32_t>>; // ids of its sentences

std::vector<TokenDocument> tokenize(std::span<const Document> documents,
                                    const Vocabulary &vocabulary);

struct MaskedPairOptions {
  int64_t pairs = 32;    // of a batch
  int64_t length = 128;  // the most tokens of a pair, start and separators included
  int32_t mask = 0;      // the unit that hides a token
  int32_t firstUnit = 0; // units before it are special: they never stand in for a token
  int32_t units = 0;     // of the vocabulary
  uint32_t seed = 1;
  bool shuffle = true; // false: the same batches in each epoch (for validation)
};

// What a pair is drawn from: sentences of one document that follow one another.
struct Passage {
  int32_t document, begin, end; // end - begin >= 2
  int64_t tokens;
};

// Tensors of a batch, with B pairs of up to S tokens and M targets:
//   tokens   [B, S] i32  [CLS] first segment [SEP] second segment [SEP], padding; Vocabulary::begin
//                        is [CLS] and Vocabulary::end is [SEP]
//   segments [B, S] i32  0 up to the first [SEP], then 1; 0 in padding
//   relation [B]    i32  0: the second segment follows the first; 1: it is from another document
//   targets  [M]    i32  pair * S + position, ascending: 15 % of each pair's tokens, at least one.
//                        Of ten, eight are masks in `tokens`, one is any unit, one is itself
//   labels   [M]    i32  the tokens that were there
class MaskedPairs : public EpochBatches {
public:
  // Keeps a reference. Throws AXL_ERROR_DATA unless at least two documents have two sentences, or
  // where a sentence is empty or an id outside the vocabulary; AXL_ERROR_ARGUMENT where no pair
  // would fit, or special units are outside the vocabulary.
  MaskedPairs(const std::vector<TokenDocument> &documents, const MaskedPairOptions &options);

  int64_t batchesInEpoch() const override;

  int64_t pairs() const { return int64_t(passages.size()); } // of an epoch
  // Documents of less than two sentences, which make no pair.
  int64_t shortDocuments() const { return tooShort; }
  // Sentences that no pair has room for, of which each pair has a part.
  int64_t longSentences() const { return tooLong; }

private:
  void addPassages(int32_t document);
  void plan(int64_t epoch) override;
  void fill(Batch &batch, int64_t index) const override;

  const std::vector<TokenDocument> &documents;
  MaskedPairOptions options;
  std::vector<Passage> passages;
  std::vector<int32_t> usable; // documents of at least two sentences
  int64_t tooShort = 0, tooLong = 0;
  int64_t epoch = 0;
  std::vector<int32_t> order;   // passages, batch after batch
  std::vector<int32_t> batches; // the place in `order` of each batch, divided by `pairs`
};

} // namespace axloom::runtime
