// Where the training loop gets its batches from: an endless stream with a position that can be
// saved and restored.
#pragma once

#include "runtime/core/Tensor.h"

#include <optional>

namespace axloom::runtime {

// The batch that comes next: everything needed to go on from exactly here.
struct DataPosition {
  int64_t epoch = 0;
  int64_t batch = 0; // within the epoch

  bool operator==(const DataPosition &) const = default;
};

struct Batch {
  std::vector<NamedTensor> tensors; // under the names of the model function's arguments
  int64_t sentences = 0;
  int64_t tokens = 0;            // real target tokens, end included
  std::optional<int64_t> labels; // what the loss counts, where that is not the tokens

  // The tensor of this name, a new one if there is none yet; it moves when the next new one is
  // made.
  Tensor &tensor(std::string_view name) {
    for (NamedTensor &entry : tensors)
      if (entry.name == name)
        return entry.tensor;
    return tensors.emplace_back(NamedTensor{std::string(name), {}}).tensor;
  }
  // Makes the tensor of this name zeros (padding) of this shape.
  template <class T> View<T> zeros(std::string_view name, std::initializer_list<int64_t> extents) {
    Tensor &made = tensor(name);
    made.resize(elementTag<T>, extents);
    return made.view<T>();
  }
};

class BatchSource {
public:
  virtual ~BatchSource() = default;

  // Fills `batch` (its memory is used again) and moves on; after the last batch of an epoch comes
  // the first of the next one.
  virtual void next(Batch &batch) = 0;
  virtual DataPosition position() const = 0;
  virtual void seek(const DataPosition &position) = 0;
  virtual int64_t batchesInEpoch() const = 0;
};

// Calls `use` with each batch of the first epoch.
template <class Use> void forEachBatch(BatchSource &source, Use use) {
  Batch batch;
  source.seek({0, 0});
  for (int64_t i = 0; i < source.batchesInEpoch(); ++i) {
    source.next(batch);
    use(batch);
  }
}

} // namespace axloom::runtime
