#include "runtime/data/WindowBatches.h"

#include "runtime/core/Error.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

enum Site : uint32_t { WindowSite = 1 };

int64_t quotientUp(int64_t number, int64_t divisor) {
  return number / divisor + (number % divisor != 0);
}

} // namespace

std::vector<int32_t> axloom::runtime::tokenStream(std::span<const Document> documents,
                                                  const Vocabulary &vocabulary) {
  std::vector<int32_t> stream = {Vocabulary::end};
  for (const Document &document : documents) {
    for (const std::string &sentence : document) {
      std::vector<int32_t> ids = vocabulary.encode(sentence);
      stream.insert(stream.end(), ids.begin(), ids.end());
    }
    stream.push_back(Vocabulary::end);
  }
  return stream;
}

WindowBatches::WindowBatches(const std::vector<int32_t> &stream, const WindowBatchOptions &options)
    : stream(stream), options(options),
      windows(quotientUp(predictions(), positive("WindowBatchOptions::length", options.length))),
      windowsInBatch(std::max<int64_t>(1, options.tokens / options.length)) {
  if (stream.size() < 2)
    throw Error(AXL_ERROR_DATA, concat("there is no text to make batches of: it has ",
                                       stream.size(), " tokens, and two are the least"));
}

int64_t WindowBatches::batchesInEpoch() const { return quotientUp(windows, windowsInBatch); }

void WindowBatches::plan(int64_t epoch) {
  order = options.shuffle ? shuffled(size_t(windows), options.seed, epoch, WindowSite)
                          : inOrder(size_t(windows));
}

void WindowBatches::fill(Batch &batch, int64_t index) const {
  static_assert(Vocabulary::padding == 0, "tensors begin as zeros");
  int64_t begin = index * windowsInBatch, count = std::min(windowsInBatch, windows - begin);
  int64_t length = std::min(options.length, predictions()); // a text shorter than a window is one
  batch.sentences = count;
  auto put = [&](const char *name, int64_t shift) {
    auto view = batch.zeros<int32_t>(name, {count, length});
    batch.tokens = 0;
    for (int64_t row = 0; row < count; ++row) {
      int64_t start = order[size_t(begin + row)] * options.length;
      int64_t tokens = std::min(length, predictions() - start);
      std::copy_n(stream.data() + start + shift, tokens, view.data() + row * length);
      batch.tokens += tokens;
    }
  };
  put("tokens_in", 0);
  put("tokens_out", 1);
}
