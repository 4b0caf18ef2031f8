#include "runtime/core/Tensor.h"

#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"
#include "runtime/core/Packed.h"
#include "runtime/device/HostMemory.h"

#include <cstdlib>
#include <cstring>
#include <utility>

using namespace axloom::runtime;

void Tensor::Free::operator()(std::byte *memory) const { std::free(memory); }

Tensor &Tensor::operator=(Tensor &&other) noexcept {
  memory = std::move(other.memory);
  capacity = std::exchange(other.capacity, 0);
  any = std::exchange(other.any, AnyView());
  return *this;
}

void Tensor::resize(int32_t type, std::span<const int64_t> extents) {
  if (extents.size() > AXL_MAX_RANK)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("a tensor has at most ", AXL_MAX_RANK, " axes, not ", extents.size()));
  axl_host_tensor shape{nullptr, type, int32_t(extents.size()), {}};
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] < 0)
      throw Error(AXL_ERROR_ARGUMENT,
                  concat("axis ", axis, " of a tensor cannot have ", extents[axis], " elements"));
    shape.extent[axis] = extents[axis];
  }
  int64_t bytes = packedBytes(type, extents);
  if (bytes < 0)
    throw Error(AXL_ERROR_MEMORY, concat("no memory for a tensor of ",
                                         describe(AnyView(shape, false)), ": it is too large"));
  if (bytes > capacity || !memory) {
    void *block = allocateHostMemory(size_t(bytes), AXL_ALIGNMENT);
    if (!block)
      throw Error(AXL_ERROR_MEMORY, concat("no memory for a tensor of ", bytes, " bytes"));
    memory.reset(static_cast<std::byte *>(block));
    capacity = bytes;
  }
  std::memset(memory.get(), 0, size_t(bytes));
  shape.data = memory.get();
  any = AnyView(shape, true);
}

void Tensor::checkType(int32_t wanted) const {
  if (type() != wanted)
    throw Error(AXL_ERROR_ARGUMENT, concat("a tensor of ", elementName(type()),
                                           " elements cannot be seen as ", elementName(wanted)));
}
