#include "runtime/train/SeenBatch.h"

#include "runtime/checkpoint/Crc32c.h"
#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"

using namespace axloom::runtime;

namespace {

uint32_t checksum(const Batch &batch) {
  uint32_t sum = 0;
  for (const NamedTensor &entry : batch.tensors) {
    std::string name = concat(entry.name, " ", describe(entry.tensor));
    sum = crc32c(name.data(), name.size(), sum);
    sum = crc32c(entry.tensor.data(), size_t(entry.tensor.bytes()), sum);
  }
  return sum;
}

} // namespace

SeenBatch axloom::runtime::seen(const DataPosition &position, const Batch &batch) {
  return {position, checksum(batch)};
}

bool axloom::runtime::goesOn(BatchSource &batches, const TrainingPosition &position) {
  if (!position.last)
    return true;
  Batch batch;
  try {
    batches.seek(position.last->position);
    batches.next(batch);
  } catch (const Error &error) {
    if (error.code() != AXL_ERROR_DATA)
      throw;
    return false; // there is no such batch
  }
  return checksum(batch) == position.last->checksum && batches.position() == position.data;
}
