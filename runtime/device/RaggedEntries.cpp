#include "runtime/device/RaggedEntries.h"

#include "runtime/core/Types.h"

#include <algorithm>
#include <span>

using namespace axloom::runtime;

namespace {

const int32_t *offsetsIn(const axl_tensor &tensor) {
  return reinterpret_cast<const int32_t *>(reinterpret_cast<const char *>(tensor.memory) +
                                           tensor.offset);
}

int32_t lengthOf(int64_t entry, const axl_tensor &offsets) {
  return offsetsIn(offsets)[entry + 1] - offsetsIn(offsets)[entry];
}

} // namespace

int64_t axloom::runtime::entryCount(const axl_kernel &kernel, const axl_tensor *tensors) {
  return tensors[kernel.ragged->lengths[0]].extent[0] - 1;
}

void axloom::runtime::narrowToEntry(const axl_kernel &kernel, int64_t entry,
                                    const axl_tensor *tensors, axl_tensor *narrowed,
                                    int32_t *sizes) {
  const axl_ragged &ragged = *kernel.ragged;
  auto length = [&](int32_t index) { return lengthOf(entry, tensors[ragged.lengths[index]]); };
  for (int32_t i = 0; i < ragged.length_count; ++i)
    if (ragged.sizes[i] >= 0)
      sizes[ragged.sizes[i]] = length(i);
  for (const axl_ragged_operand &operand :
       std::span(ragged.operands, size_t(ragged.operand_count))) {
    const axl_tensor &whole = tensors[operand.operand];
    axl_tensor &part = narrowed[operand.operand] = whole;
    int32_t added = operand.length_count;
    part.offset +=
        offsetsIn(tensors[operand.offsets])[entry] * whole.stride[0] * elementSize(whole.type);
    part.rank += added;
    std::copy_n(whole.extent + 1, whole.rank - 1, part.extent + 1 + added);
    std::copy_n(whole.stride + 1, whole.rank - 1, part.stride + 1 + added);
    int64_t stride = whole.stride[0];
    for (int32_t axis = added; axis >= 1; --axis) {
      part.extent[axis] = length(operand.lengths[axis - 1]);
      part.stride[axis] = stride;
      stride *= part.extent[axis];
    }
    part.extent[0] = 1;
    part.stride[0] = stride;
  }
}
