#include "runtime/data/EpochBatches.h"

#include "runtime/Random.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <numeric>

using namespace axloom::runtime;
namespace counters = axloom::random; // ::random is the C library's

void EpochBatches::next(Batch &batch) {
  planFor(current.epoch);
  fill(batch, current.batch);
  if (++current.batch == batchesInEpoch())
    current = {current.epoch + 1, 0};
}

void EpochBatches::seek(const DataPosition &position) {
  if (position.epoch >= 0)
    planFor(position.epoch);
  if (position.epoch < 0 || position.batch < 0 || position.batch >= batchesInEpoch())
    throw Error(AXL_ERROR_DATA, concat("cannot go on at batch ", position.batch, " of epoch ",
                                       position.epoch, ": an epoch has ", batchesInEpoch(),
                                       " batches; did the corpus or the batch size change?"));
  current = position;
}

void EpochBatches::planFor(int64_t epoch) {
  if (epoch != plannedEpoch)
    plan(epoch);
  plannedEpoch = epoch;
}

std::vector<int32_t> axloom::runtime::inOrder(size_t count) {
  std::vector<int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<int32_t> axloom::runtime::shuffled(size_t count, uint32_t seed, int64_t epoch,
                                               uint32_t site) {
  auto key = counters::Key::of(seed, uint32_t(epoch), site);
  std::vector<uint32_t> keys(count);
  for (size_t i = 0; i < count; ++i)
    keys[i] = counters::bits(key, key.start + uint32_t(i) * counters::coordinateFactors[0]);
  std::vector<int32_t> order = inOrder(count);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return keys[size_t(a)] < keys[size_t(b)]; });
  return order;
}
