#include "runtime/data/PairBatches.h"

#include "runtime/core/Error.h"

#include <algorithm>
#include <utility>

using namespace axloom::runtime;

namespace {

enum Site : uint32_t { PairSite = 1, BatchSite = 2 };

int64_t lengthOf(const std::vector<int32_t> &ids) { return int64_t(ids.size()) + 1; } // with end

void checkIds(const std::vector<std::vector<int32_t>> &texts, const char *side, int32_t size) {
  for (size_t pair = 0; pair < texts.size(); ++pair)
    for (int32_t id : texts[pair])
      if (id < 0 || id >= size)
        throw Error(AXL_ERROR_DATA, concat("the ", side, " of pair ", pair, " has token ", id,
                                           ", but the vocabulary has ", size,
                                           " units; was it made with another vocabulary?"));
}

// One side of a batch: padded to its longest text, or packed.
class Side {
public:
  Side(Batch &batch, std::span<const int32_t> pairs, const std::vector<std::vector<int32_t>> &texts,
       bool packed)
      : batch(batch), pairs(pairs), texts(texts), packed(packed) {
    for (int32_t pair : pairs) {
      longest = std::max(longest, length(pair));
      total += length(pair);
    }
  }

  int64_t tokens() const { return total; } // that are real

  // Ids and end.
  void fillText(const char *name) const {
    fill<int32_t>(name, [&](int32_t *to, int32_t pair) {
      *std::ranges::copy(texts[size_t(pair)], to).out = Vocabulary::end;
    });
  }

  // Begin and ids.
  void fillShifted(const char *name) const {
    fill<int32_t>(name, [&](int32_t *to, int32_t pair) {
      *to = Vocabulary::begin;
      std::ranges::copy(texts[size_t(pair)], to + 1);
    });
  }

  void fillMask(const char *name) const {
    fill<bool>(name, [&](bool *to, int32_t pair) { std::fill_n(to, length(pair), true); });
  }

  void fillLengths(const char *name) const {
    auto lengths = batch.zeros<int32_t>(name, {int64_t(pairs.size())});
    for (size_t row = 0; row < pairs.size(); ++row)
      lengths[int64_t(row)] = int32_t(length(pairs[row]));
  }

private:
  int64_t length(int32_t pair) const { return lengthOf(texts[size_t(pair)]); }

  // Calls `write` with each pair and the place of its text, which is padding so far.
  template <class T, class Write> void fill(const char *name, Write write) const {
    T *to = packed ? batch.zeros<T>(name, {total}).data()
                   : batch.zeros<T>(name, {int64_t(pairs.size()), longest}).data();
    for (int32_t pair : pairs) {
      write(to, pair);
      to += packed ? length(pair) : longest;
    }
  }

  Batch &batch;
  std::span<const int32_t> pairs;
  const std::vector<std::vector<int32_t>> &texts;
  bool packed;
  int64_t longest = 0, total = 0;
};

// How much is in a batch that is being put together.
struct Filling {
  int64_t sentences = 0, source = 0, target = 0, longest = 0;

  Filling with(int64_t sourceLength, int64_t targetLength) const {
    return {sentences + 1, source + sourceLength, target + targetLength,
            std::max({longest, sourceLength, targetLength})};
  }
  // Of the side that has more.
  int64_t positions(bool packed) const {
    return packed ? std::max(source, target) : sentences * longest;
  }
};

static_assert(Vocabulary::padding == 0, "tensors begin as zeros");

} // namespace

TokenPairs axloom::runtime::tokenize(std::span<const SentencePair> pairs,
                                     const Vocabulary &vocabulary, int64_t maximumLength) {
  TokenPairs tokens;
  for (const SentencePair &pair : pairs) {
    auto source = vocabulary.encode(pair.source), target = vocabulary.encode(pair.target);
    if (std::max(lengthOf(source), lengthOf(target)) > maximumLength) {
      ++tokens.tooLong;
      continue;
    }
    tokens.source.push_back(std::move(source));
    tokens.target.push_back(std::move(target));
  }
  return tokens;
}

PairBatches::PairBatches(const TokenPairs &pairs, const PairBatchOptions &options)
    : pairs(pairs), options(options) {
  if (pairs.source.empty())
    throw Error(AXL_ERROR_DATA,
                concat("there are no sentence pairs to make batches of",
                       pairs.tooLong ? concat(" (", pairs.tooLong, " were too long)") : ""));
  if (pairs.source.size() != pairs.target.size())
    throw Error(AXL_ERROR_DATA,
                concat("there are ", pairs.source.size(), " source and ", pairs.target.size(),
                       " target sentences; expected one of each in a pair"));
  positive("PairBatchOptions::tokens", options.tokens);
  positive("PairBatchOptions::maximumSentences", options.maximumSentences);
  if (options.vocabularySize > 0) {
    checkIds(pairs.source, "source", options.vocabularySize);
    checkIds(pairs.target, "target", options.vocabularySize);
  }
  plan(0);
}

// 1. Shuffle all pairs.
// 2. Sort them by length, stably: pairs of equal length stay shuffled.
// 3. Cut into batches, each as large as the budget allows.
// 4. Shuffle the batches.
// Lengths that are sorted come in the same sequence in every epoch, so that all epochs have the
// same number of batches.
void PairBatches::plan(int64_t epoch) {
  size_t count = pairs.source.size();
  order = options.shuffle ? shuffled(count, options.seed, epoch, PairSite) : inOrder(count);
  auto lengths = [&](int32_t pair) {
    return std::pair(lengthOf(pairs.target[size_t(pair)]), lengthOf(pairs.source[size_t(pair)]));
  };
  if (options.layout == PairLayout::ByLength)
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return lengths(a) < lengths(b); });

  ranges.clear();
  int64_t start = 0;
  Filling batch;
  for (int64_t index = 0; index < int64_t(count); ++index) {
    auto [target, source] = lengths(order[size_t(index)]);
    Filling larger = batch.with(source, target);
    if (batch.sentences > 0 && (larger.sentences > options.maximumSentences ||
                                larger.positions(isPacked()) > options.tokens)) {
      ranges.emplace_back(start, index);
      start = index;
      larger = Filling().with(source, target);
    }
    batch = larger;
  }
  ranges.emplace_back(start, int64_t(count));

  if (options.shuffle) {
    auto places = shuffled(ranges.size(), options.seed, epoch, BatchSite);
    auto sorted = ranges;
    for (size_t i = 0; i < places.size(); ++i)
      ranges[i] = sorted[size_t(places[i])];
  }
}

int64_t PairBatches::batchesInEpoch() const { return int64_t(ranges.size()); }

void PairBatches::fill(Batch &batch, int64_t index) const {
  auto [begin, end] = ranges[size_t(index)];
  auto sentences = std::span(order).subspan(size_t(begin), size_t(end - begin));
  Side source(batch, sentences, pairs.source, isPacked());
  Side target(batch, sentences, pairs.target, isPacked());
  source.fillText("source");
  target.fillShifted("target_in");
  target.fillText("target_out");
  source.fillLengths(isPacked() ? "S.lengths" : "source_length");
  target.fillLengths(isPacked() ? "T.lengths" : "target_length");
  if (!isPacked()) {
    source.fillMask("source_mask");
    target.fillMask("target_mask");
  }
  batch.sentences = int64_t(sentences.size());
  batch.tokens = target.tokens();
}
