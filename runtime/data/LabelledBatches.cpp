#include "runtime/data/LabelledBatches.h"

#include "runtime/core/Error.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

enum Site : uint32_t { TextSite = 1, BatchSite = 2 };

void checkText(size_t index, const std::vector<int32_t> &text, int32_t vocabularySize) {
  if (text.empty())
    throw Error(AXL_ERROR_DATA, concat("text ", index, " has no token"));
  for (int32_t id : text)
    if (vocabularySize > 0 && (id < 0 || id >= vocabularySize))
      throw Error(AXL_ERROR_DATA,
                  concat("text ", index, " has token ", id, ", but the vocabulary has ",
                         vocabularySize, " units; was it made with another vocabulary?"));
}

void checkLabel(size_t index, int32_t label, int32_t classes) {
  if (classes > 0 && (label < 0 || label >= classes))
    throw Error(AXL_ERROR_DATA, concat("text ", index, " has label ", label, ", but there are ",
                                       classes, " classes"));
}

} // namespace

LabelledBatches::LabelledBatches(const LabelledTokens &texts, const LabelledBatchOptions &options)
    : tokens(texts), options(options) {
  positive("LabelledBatchOptions::texts", options.texts);
  positive("LabelledBatchOptions::window", options.window);
  if (tokens.texts.empty() || tokens.texts.size() != tokens.labels.size())
    throw Error(AXL_ERROR_DATA, concat("there are ", tokens.texts.size(), " texts and ",
                                       tokens.labels.size(), " labels to make batches of"));
  for (size_t i = 0; i < tokens.texts.size(); ++i) {
    checkText(i, tokens.texts[i], options.vocabularySize);
    checkLabel(i, tokens.labels[i], options.classes);
  }
  plan(0);
}

// 1. Shuffle all texts.
// 2. Sort them by length, window by window, stably: texts of equal length stay shuffled.
// 3. Cut each window into batches, always in the same places.
// 4. Shuffle the batches.
void LabelledBatches::plan(int64_t epoch) {
  auto count = int64_t(tokens.texts.size());
  order = options.shuffle ? shuffled(size_t(count), options.seed, epoch, TextSite)
                          : inOrder(size_t(count));
  int64_t windows = options.shuffle ? options.window : count; // in batches; more than fit are one
  int64_t window = std::min(windows, count / options.texts + 1) * options.texts;
  ranges.clear();
  for (int64_t begin = 0; begin < count; begin += window) {
    int64_t end = std::min(begin + window, count);
    std::ranges::stable_sort(order.begin() + begin, order.begin() + end, {},
                             [&](int32_t text) { return tokens.texts[size_t(text)].size(); });
    for (int64_t first = begin; first < end; first += options.texts)
      ranges.emplace_back(first, std::min(first + options.texts, end));
  }
  batches = options.shuffle ? shuffled(ranges.size(), options.seed, epoch, BatchSite)
                            : inOrder(ranges.size());
}

int64_t LabelledBatches::batchesInEpoch() const { return int64_t(ranges.size()); }

void LabelledBatches::fill(Batch &batch, int64_t index) const {
  auto [begin, end] = ranges[size_t(batches[size_t(index)])];
  auto entries = std::span(order).subspan(size_t(begin), size_t(end - begin));
  size_t longest = 0, real = 0;
  for (int32_t entry : entries) {
    longest = std::max(longest, tokens.texts[size_t(entry)].size());
    real += tokens.texts[size_t(entry)].size();
  }
  auto rows = int64_t(entries.size());
  auto ids = batch.zeros<int32_t>("tokens", {rows, int64_t(longest)});
  auto labels = batch.zeros<int32_t>("labels", {rows});
  for (int64_t row = 0; row < rows; ++row) {
    auto entry = size_t(entries[size_t(row)]);
    std::ranges::copy(tokens.texts[entry], ids.data() + row * int64_t(longest));
    labels[row] = tokens.labels[entry];
  }
  batch.sentences = rows;
  batch.tokens = int64_t(real);
  batch.labels = rows;
}
