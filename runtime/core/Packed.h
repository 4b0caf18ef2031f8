// Tensors whose elements lie one after the other.
#pragma once

#include "runtime/core/Types.h"

namespace axloom::runtime {

// Gives a tensor the strides that follow from its extents.
inline void setPackedStrides(axl_tensor &tensor) {
  int64_t stride = 1;
  for (int32_t axis = tensor.rank - 1; axis >= 0; --axis) {
    tensor.stride[axis] = stride;
    stride *= tensor.extent[axis];
  }
}

inline int64_t packedBytes(const axl_tensor &tensor) {
  int64_t bytes = elementSize(tensor.type);
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    bytes *= tensor.extent[axis];
  return bytes;
}

} // namespace axloom::runtime
