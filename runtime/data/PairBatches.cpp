#include "runtime/data/PairBatches.h"

#include "runtime/core/Error.h"

#include <algorithm>
#include <tuple>

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

// One side of a batch, padded to its longest text.
class Side {
public:
  Side(Batch &batch, std::span<const int32_t> pairs, const std::vector<std::vector<int32_t>> &texts)
      : batch(batch), pairs(pairs), texts(texts) {
    for (int32_t pair : pairs)
      longest = std::max(longest, lengthOf(texts[size_t(pair)]));
  }

  // Ids and end.
  void fillText(const char *name) const {
    auto view = padding<int32_t>(name);
    for (size_t row = 0; row < pairs.size(); ++row) {
      const auto &text = texts[size_t(pairs[row])];
      int32_t *to = std::copy(text.begin(), text.end(), view.data() + int64_t(row) * longest);
      *to = Vocabulary::end;
    }
  }

  // Begin and ids.
  void fillShifted(const char *name) const {
    auto view = padding<int32_t>(name);
    for (size_t row = 0; row < pairs.size(); ++row) {
      const auto &text = texts[size_t(pairs[row])];
      int32_t *to = view.data() + int64_t(row) * longest;
      *to = Vocabulary::begin;
      std::copy(text.begin(), text.end(), to + 1);
    }
  }

  // Returns the number of real tokens.
  int64_t fillMask(const char *mask, const char *lengths) const {
    auto maskView = padding<bool>(mask);
    auto lengthView = batch.zeros<int32_t>(lengths, {int64_t(pairs.size())});
    int64_t tokens = 0;
    for (size_t row = 0; row < pairs.size(); ++row) {
      int64_t length = lengthOf(texts[size_t(pairs[row])]);
      std::fill_n(maskView.data() + int64_t(row) * longest, length, true);
      lengthView[int64_t(row)] = int32_t(length);
      tokens += length;
    }
    return tokens;
  }

private:
  // [pairs, longest], still empty.
  template <class T> View<T> padding(const char *name) const {
    return batch.zeros<T>(name, {int64_t(pairs.size()), longest});
  }

  Batch &batch;
  std::span<const int32_t> pairs;
  const std::vector<std::vector<int32_t>> &texts;
  int64_t longest = 0;
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
// Lengths come in the same sequence in every epoch, so all epochs have the same number of batches.
void PairBatches::plan(int64_t epoch) {
  size_t count = pairs.source.size();
  order = options.shuffle ? shuffled(count, options.seed, epoch, PairSite) : inOrder(count);
  auto lengths = [&](int32_t pair) {
    return std::tuple(lengthOf(pairs.target[size_t(pair)]), lengthOf(pairs.source[size_t(pair)]));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return lengths(a) < lengths(b); });

  ranges.clear();
  int64_t start = 0, longest = 0;
  for (int64_t index = 0; index < int64_t(count); ++index) {
    auto [target, source] = lengths(order[size_t(index)]);
    longest = std::max({longest, target, source});
    int64_t sentences = index - start + 1;
    if (sentences > 1 &&
        (sentences > options.maximumSentences || sentences * longest > options.tokens)) {
      ranges.emplace_back(start, index);
      start = index;
      longest = std::max(target, source);
    }
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
  Side source(batch, sentences, pairs.source), target(batch, sentences, pairs.target);
  source.fillText("source");
  target.fillShifted("target_in");
  target.fillText("target_out");
  batch.sentences = int64_t(sentences.size());
  batch.sourceTokens = source.fillMask("source_mask", "source_length");
  batch.tokens = target.fillMask("target_mask", "target_length");
}
