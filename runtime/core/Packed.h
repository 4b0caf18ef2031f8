// Tensors whose elements lie one after the other.
#pragma once

#include "runtime/core/Types.h"

#include <span>

namespace axloom::runtime {

// Gives a tensor the strides that follow from its extents. Those of a tensor without elements may
// mean nothing.
inline void setPackedStrides(axl_tensor &tensor) {
  int64_t stride = 1;
  for (int32_t axis = tensor.rank - 1; axis >= 0; --axis) {
    tensor.stride[axis] = stride;
    (void)__builtin_mul_overflow(stride, tensor.extent[axis], &stride);
  }
}

// Elements of a tensor with these extents, none of which is negative, times `unit`; -1 where that
// has more than 63 bits.
inline int64_t packedSize(std::span<const int64_t> extents, int64_t unit = 1) {
  int64_t product = unit;
  bool empty = false, overflows = false;
  for (int64_t extent : extents) {
    empty |= extent == 0;
    overflows |= __builtin_mul_overflow(product, extent, &product);
  }
  return empty ? 0 : overflows ? -1 : product;
}

// Bytes of a tensor, likewise.
inline int64_t packedBytes(int32_t type, std::span<const int64_t> extents) {
  return packedSize(extents, elementSize(type));
}

inline int64_t packedBytes(const axl_tensor &tensor) {
  return packedBytes(tensor.type, {tensor.extent, size_t(tensor.rank)});
}

} // namespace axloom::runtime
