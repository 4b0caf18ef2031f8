#include "codegen/halide/schedules/RegisterTile.h"

#include "codegen/halide/schedules/Sums.h"

#include <algorithm>

using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

void codegen::sumInRegisters(Func sums, const Var &column, const Var &row,
                             const std::vector<RVar> &summed, bool inPairs,
                             const RegisterTile &tile) {
  sums.store_in(Halide::MemoryType::Register)
      .vectorize(column, tile.lanes)
      .unroll(column)
      .unroll(row);
  std::vector<Halide::VarOrRVar> inner = {column, row};
  inner.insert(inner.end(), summed.begin(), summed.end());
  Halide::Stage update = sums.update();
  if (inPairs) { // one instruction sums up a pair
    std::rotate(inner.begin(), inner.begin() + 2, inner.begin() + 3);
    update.reorder(inner).atomic().vectorize(summed.front());
  } else {
    RVar iteration("iteration_of_sum"), term("term_of_iteration");
    update.reorder(inner);
    if (tile.terms > 1)
      update.split(summed.front(), iteration, term, tile.terms, TailStrategy::GuardWithIf)
          .unroll(term);
  }
  update.vectorize(column, tile.lanes).unroll(column).unroll(row);
}

SumByStretches codegen::sumByStretches(Stage &sum, const Var &column, const Var &row,
                                       const RegisterTile &tile, bool inPairs, int termsOfStretch) {
  Var stretchOfPartial("stretch_of_partial_sum");
  RVar stretch("stretch_of_sum"), term("term_of_stretch");
  std::vector<RVar> summed = summedBy(sum);
  sum.func.update().split(summed.back(), stretch, term, termsOfStretch, TailStrategy::GuardWithIf);
  summed.back() = term;
  Func partial = sum.func.update().rfactor(stretch, stretchOfPartial);
  sum.func.align_bounds(column, tile.width)
      .align_bounds(row, tile.rows)
      .vectorize(column, tile.lanes);
  std::vector<Halide::VarOrRVar> loops =
      cutIntoTiles(sum.func.update(), column, row, tile, TailStrategy::GuardWithIf);
  loops.insert(loops.end(), {row, column, stretch});
  sum.func.update().reorder(loops);
  partial.compute_at(sum.func, row)
      .bound_extent(column, tile.width)
      .align_bounds(row, tile.rows)
      .bound_extent(row, tile.rows);
  sumInRegisters(partial, column, row, summed, inPairs, tile);
  return {partial, term, loops};
}
