//===- Arena.h - Where the slots of a function's arena lie ------*- C++ -*-===//
//
// Slots lie as passes/PackArena.h says, and scratch memory of kernels follows them. Sizes are
// monomials in the size symbols: host code computes them at run time, the report for given sizes.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Description.h"
#include "passes/PackArena.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace axloom::codegen {
/// How an operand of a kernel is prepared, or null.
const PreparationInfo *preparationOf(const Description &model, ir::KernelOp kernel, size_t operand);

/// The scratch operands of a kernel that lie in the arena: all but those that are kept prepared.
std::vector<const Operand *> scratchOf(const Description &model, ir::KernelOp kernel);

/// Bytes of the arena of a planned function for given values of the symbols.
int64_t arenaBytes(const Description &model, mlir::func::FuncOp function,
                   llvm::function_ref<int64_t(mlir::StringAttr)> sizeOf);
} // namespace axloom::codegen
