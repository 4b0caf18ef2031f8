// Strided copies on the host.
#include "runtime/core/Error.h"
#include "runtime/core/Types.h"

#include <cstring>

namespace {

struct Side {
  const axl_tensor &tensor;
  std::byte *at;

  Side entry(int32_t axis, int64_t index, int64_t size) const {
    return {tensor, at + index * tensor.stride[axis] * size};
  }
};

// Whether the axes from `axis` inwards lie packed in memory.
bool isPacked(const axl_tensor &tensor, int32_t axis) {
  int64_t stride = 1;
  for (int32_t inner = tensor.rank - 1; inner >= axis; --inner) {
    if (tensor.stride[inner] != stride && tensor.extent[inner] != 1)
      return false;
    stride *= tensor.extent[inner];
  }
  return true;
}

int64_t count(const axl_tensor &tensor, int32_t axis) {
  int64_t product = 1;
  for (; axis < tensor.rank; ++axis)
    product *= tensor.extent[axis];
  return product;
}

void copyFrom(int32_t axis, const Side &to, const Side &from, int64_t size) {
  if (isPacked(to.tensor, axis) && isPacked(from.tensor, axis)) {
    std::memmove(to.at, from.at, size_t(count(to.tensor, axis) * size));
    return;
  }
  for (int64_t index = 0; index < to.tensor.extent[axis]; ++index)
    copyFrom(axis + 1, to.entry(axis, index, size), from.entry(axis, index, size), size);
}

std::byte *start(const axl_tensor &tensor) {
  return reinterpret_cast<std::byte *>(tensor.memory) + tensor.offset;
}

} // namespace

int axl_copy_on_host(const axl_tensor *destination, const axl_tensor *source) {
  bool fits = destination->type == source->type && destination->rank == source->rank;
  for (int32_t axis = 0; fits && axis < source->rank; ++axis)
    fits = destination->extent[axis] == source->extent[axis];
  if (!fits)
    return axl_report(AXL_ERROR_INTERNAL, "a copy between tensors of different types or extents");
  if (count(*source, 0) > 0)
    copyFrom(0, {*destination, start(*destination)}, {*source, start(*source)},
             axloom::runtime::elementSize(source->type));
  return AXL_OK;
}
