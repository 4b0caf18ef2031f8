//===- PackOperands.h - When operands of products are packed ----*- C++ -*-===//
//
// Operands that a product does not read where they lie (ops/Packing.h) are packed, rounded or kept
// whole, or for each block or stretch of a sum that reads them. Test:
// tests/codegen/halide/ContractionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/schedules/Family.h"

#include <set>

namespace axloom::codegen {
/// Packs the groups that one iteration of a loop needs, where they stay in the cache until they are
/// used.
void packBlock(Stage &stage, Halide::Func tile, const Halide::Var &level, LoweredRegion &region);

/// Packs what a stretch of the sum reads of an operand.
void packStretch(Stage &operand, Halide::Func sums, const Halide::RVar &level,
                 const MatrixPlan &matrix, LoweredRegion &region);

/// Computes what a stretch reads of a left operand that is not read where it lies, threads taking
/// rows of it.
void computeStretch(Stage &left, Halide::Func sums, const Halide::RVar &level,
                    const MatrixPlan &matrix, LoweredRegion &region);

/// Rounds the rows of a left operand that one iteration of a loop needs.
void roundRows(Stage &rounded, Halide::Func tile, const Halide::Var &level, LoweredRegion &region);

/// Computes a packed operand, or a kept one, whole and in parallel.
void packWhole(Stage &stage, LoweredRegion &region);

/// Computes the packed operands of a contraction whole, in parallel over their groups, but for
/// those that are scheduled with their blocks: left ones, and what blocks of columns or stretches
/// pack. Returns all of them.
std::set<const Stage *> schedulePacking(ir::ContractOp op, LoweredRegion &region);
} // namespace axloom::codegen
