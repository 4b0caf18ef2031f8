//===- ColumnPlan.h - How a product's columns are cut -----------*- C++ -*-===//
//
// Columns of blocks for the caches, and of the strips that threads share. Test:
// tests/codegen/halide/ContractionPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// Columns of a strip: those of eight vectors (512 columns are four strips with AVX-512), or of so
/// many fewer panels that whole strips fill a block of `blockColumns`; 0: of any number.
int64_t columnsOfStrip(const MatrixPlan &matrix, int64_t blockColumns, const TargetTraits &traits);

/// Lets the columns of blocks be chosen, among those that make a difference.
void chooseBlockColumns(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
                        Choices &choices);

/// Whether blocks of columns pack their own panels: a chunk's sum is short, so that no stretches of
/// it are packed, and the blocks are many enough for threads to get equal shares of them.
bool packsColumns(ir::ContractOp op, const MatrixPlan &matrix, const KernelPlan &plan,
                  const TargetTraits &traits);
} // namespace axloom::codegen
