//===- Arena.h - Where the slots of a function's arena lie ------*- C++ -*-===//
//
// A slot is as large as the largest of its byte sizes, rounded up to AXL_ALIGNMENT; slots follow
// one another, and scratch memory of kernels follows the slots. Sizes are polynomials in the size
// symbols: host code computes them at run time, the report for given sizes.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace axloom::codegen {
/// The byte sizes of each slot of a planned function (attribute `axloom.slots`).
std::vector<std::vector<ir::SizeAttr>> slotsOf(mlir::func::FuncOp function);

/// The scratch operands of a kernel.
std::vector<const Operand *> scratchOf(const CompiledKernel &kernel);

/// Bytes of the arena of a function for given values of the symbols.
int64_t arenaBytes(mlir::func::FuncOp function, llvm::ArrayRef<const CompiledKernel *> kernels,
                   llvm::function_ref<int64_t(mlir::StringAttr)> sizeOf);
} // namespace axloom::codegen
