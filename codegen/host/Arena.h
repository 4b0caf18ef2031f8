//===- Arena.h - Where the slots of a function's arena lie ------*- C++ -*-===//
//
// Slots lie as passes/PackArena.h says, and scratch memory of kernels follows them. Sizes are
// monomials in the size symbols: host code computes them at run time, the report for given sizes.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Description.h"
#include "codegen/host/FullBatches.h"
#include "passes/PackArena.h"

namespace axloom::codegen {
/// How an operand of a kernel is prepared, or null.
const PreparationInfo *preparationOf(const Description &model, ir::KernelOp kernel, size_t operand);

/// The scratch operands of a kernel that lie in the arena: all but those that are kept prepared.
std::vector<const Operand *> scratchOf(const Description &model, ir::KernelOp kernel);

/// Bytes of the arena of a planned function for given values of the symbols, in full batches.
double arenaBytes(const Description &model, mlir::func::FuncOp function, DeclaredValue valueOf);
} // namespace axloom::codegen
