//===- Contraction.h - Planning contractions --------------------*- C++ -*-===//
//
// What families of kernels with contractions have in common. Test:
// tests/codegen/halide/ContractionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// How a contraction is a matrix product under the plan's groups, or nothing if it is none.
std::optional<MatrixPlan> planMatrix(ir::ContractOp op, ir::KernelOp kernel,
                                     llvm::ArrayRef<std::string> axisOrder, const KernelPlan &plan,
                                     const TargetTraits &traits);

/// The columns of a matrix, or nothing where they depend on a size symbol.
std::optional<int64_t> fixedColumns(ir::ContractOp op, const MatrixPlan &matrix);

/// Lets the rows of register tiles be chosen, and gives each matrix of the plan blocks of so many
/// tiles; of fewer, where panels are narrow and tiles have more rows; of more, until packed rows
/// are whole vectors, or half ones where they are only copied.
void chooseTiles(KernelPlan &plan, ir::KernelOp kernel, int64_t blockTiles,
                 const TargetTraits &traits, Choices &choices);
} // namespace axloom::codegen
