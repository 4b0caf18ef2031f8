//===- Elements.h - Elements and accesses in the C interface ----*- C++ -*-===//

#pragma once

#include "codegen/Backend.h"
#include "runtime/abi/axloom.h"

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

/// AXL_READ, AXL_WRITE, ... of an operand.
inline int32_t accessFlags(const Operand &operand) {
  int32_t flags = 0;
  if (reads(operand.access))
    flags |= AXL_READ;
  if (writes(operand.access))
    flags |= AXL_WRITE;
  if (operand.isZeroed)
    flags |= AXL_ZEROED;
  if (operand.inRows)
    flags |= AXL_ROWS;
  return flags;
}
} // namespace axloom::codegen
