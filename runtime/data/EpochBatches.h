// What sources of batches have in common that plan one epoch after the other: where they stand, and
// how they shuffle. Tests: tests/runtime/PairBatchesTest.cpp, tests/runtime/WindowBatchesTest.cpp
#pragma once

#include "runtime/data/BatchSource.h"

namespace axloom::runtime {

class EpochBatches : public BatchSource {
public:
  void next(Batch &batch) final;
  DataPosition position() const final { return current; }
  void seek(const DataPosition &position) final;

protected:
  // Decides what the batches of an epoch are, of which there may be more or less than of others.
  virtual void plan(int64_t epoch) = 0;
  // Makes a batch of the epoch that was planned last.
  virtual void fill(Batch &batch, int64_t index) const = 0;

private:
  void planFor(int64_t epoch);

  DataPosition current;
  int64_t plannedEpoch = -1;
};

// 0, 1, ..., count - 1.
std::vector<int32_t> inOrder(size_t count);
// The same in an order that depends on seed, epoch and site alone. A source that
// shuffles several things has a site for each.
std::vector<int32_t> shuffled(size_t count, uint32_t seed, int64_t epoch, uint32_t site);

} // namespace axloom::runtime
