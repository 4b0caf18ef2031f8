//===- Elements.h - Element types as the C interface has them ---*- C++ -*-===//

#pragma once

#include "runtime/abi/axloom.h"

#include "mlir/IR/Types.h"

namespace axloom::codegen {
/// AXL_F32, AXL_BF16, ...
inline int32_t elementTag(mlir::Type type) {
  if (type.isF32())
    return AXL_F32;
  if (type.isBF16())
    return AXL_BF16;
  if (type.isF64())
    return AXL_F64;
  return type.isInteger(1) ? AXL_I1 : AXL_I32;
}

inline int64_t elementBytes(mlir::Type type) {
  return type.isInteger(1) ? 1 : int64_t(type.getIntOrFloatBitWidth()) / 8;
}
} // namespace axloom::codegen
