//===- KernelLimits.h - What the runtime's tables have room for -*- C++ -*-===//

#pragma once

#include "codegen/Backend.h"

namespace axloom::codegen {
/// An error at the kernel where it has more operands, scalars or axes, of them ragged ones, than
/// tables of the runtime (runtime/abi/tables.h) hold.
mlir::LogicalResult checkLimits(ir::KernelOp op, const CompiledKernel &code);
} // namespace axloom::codegen
