//===- MatrixTile.h - Matrix products from register tiles -------*- C++ -*-===//
//
// Test: tests/codegen/halide/ContractionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// The last function of the epilogue that can be computed tile by tile: all uses of `product` go
/// through it, and it has one element for each of the product's, for which it reads that one alone.
/// Null where uses part at once.
Stage *endOfEpilogue(const Stage &product, LoweredRegion &region);

/// The variable of `stage` for a dimension of the product: of the same name, or else at the same
/// place.
Halide::Var variableFor(const Stage &stage, const AxisList &dimension, const Stage &product);

/// Cuts a function that uses `product` into register tiles, whose sums stay in registers. Returns
/// the loops in the order to walk them, innermost first.
std::vector<Halide::VarOrRVar> registerTiles(Halide::Func tile, const Halide::Var &column,
                                             const Halide::Var &row, Stage &product,
                                             const MatrixPlan &matrix, LoweredRegion &region);

/// Cuts the columns of a block of rows, once they are cut into tiles, into strips that threads
/// share where blocks are too few for them: decoding has one block, of one token. Returns the loop
/// over strips, which goes around the tiles'.
Halide::Var shareColumns(Halide::Func tile, const Halide::Var &column, const MatrixPlan &matrix);

/// Computes `tiled` (the product itself, copied, where that is null) in blocks for the caches and
/// tiles for the registers, in parallel over blocks; the product of a tile stays in registers.
void scheduleMatrix(Stage &product, Stage *tiled, const MatrixPlan &matrix, LoweredRegion &region);

/// Computes a product one stretch of its sum after the other, all of it before the next: the parts
/// of both operands that a stretch reads stay in a cache.
void scheduleByStretches(Stage &product, const MatrixPlan &matrix, LoweredRegion &region);
} // namespace axloom::codegen
