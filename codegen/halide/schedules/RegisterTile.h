//===- RegisterTile.h - Sums that stay in registers -------------*- C++ -*-===//
//
// What all products have in common, those of matrices and those in attention: columns and rows are
// cut into tiles, and the sums of a tile stay in registers while its factors pass by. Tests:
// tests/codegen/halide/ContractionTest.cpp, AttentionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Region.h"

namespace axloom::codegen {
/// The shape of a tile: `width` columns, whole vectors of `lanes`, times `rows` rows, to which one
/// iteration adds `terms` terms of their sums (`TargetTraits::termsOfIteration`), or one pair.
struct RegisterTile {
  int lanes, width, rows, terms;
};

/// Cuts columns and rows of a function, or of its update, into tiles. Returns the loops within a
/// tile, innermost first.
template <typename Schedulable>
std::vector<Halide::VarOrRVar> cutIntoTiles(Schedulable &&schedulable, const Halide::Var &column,
                                            const Halide::Var &row, const RegisterTile &tile,
                                            Halide::TailStrategy tail) {
  Halide::Var columnInTile("column_in_register_tile"), rowInTile("row_in_register_tile");
  schedulable.tile(column, row, columnInTile, rowInTile, tile.width, tile.rows, tail)
      .vectorize(columnInTile, tile.lanes)
      .unroll(columnInTile)
      .unroll(rowInTile);
  return {columnInTile, rowInTile};
}

/// Keeps a tile of sums in registers and walks it inside the sum; pairs of factors, the first
/// dimension of the sum, are one instruction's.
void sumInRegisters(Halide::Func sums, const Halide::Var &column, const Halide::Var &row,
                    const std::vector<Halide::RVar> &summed, bool inPairs,
                    const RegisterTile &tile);

/// A sum that is computed one stretch of its terms after the other.
struct SumByStretches {
  Halide::Func partial;                 ///< the sums of one stretch and tile, in registers
  Halide::RVar term;                    ///< of a stretch, that `partial` walks
  std::vector<Halide::VarOrRVar> loops; ///< to walk, innermost first; the last is over stretches
};

/// Computes sums one stretch of their terms after the other: all tiles of a stretch before the
/// next, so that what a stretch reads stays in a cache. Cuts the last dimension of the sum.
SumByStretches sumByStretches(Stage &sum, const Halide::Var &column, const Halide::Var &row,
                              const RegisterTile &tile, bool inPairs, int termsOfStretch);
} // namespace axloom::codegen
