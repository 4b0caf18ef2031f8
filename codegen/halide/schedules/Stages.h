//===- Stages.h - What schedules have in common -----------------*- C++ -*-===//

#pragma once

#include "codegen/halide/schedules/Family.h"

#include "llvm/Support/MathExtras.h"

#include <set>

namespace axloom::codegen {
/// Computes a function over its whole extent, with vectors along the innermost dimension, in
/// guarded tails where the extent is not a multiple; `parallel` uses threads along the outermost.
void computeWhole(Stage &stage, LoweredRegion &region, bool parallel);

/// Elements from one row of scratch memory to the next, for rows of `elements`: whole pairs of
/// vectors, and one more, since rows that are a power of two apart map to the same sets of a cache.
inline int paddedRow(int64_t elements, int lanes) {
  return int(llvm::alignTo(elements, 2 * lanes)) + 2 * lanes;
}

/// Functions that are computed once and kept, instead of at each use: sums; those that have grown
/// large with all that is computed in place for them; those that are compared for equality; and
/// results that overwrite an input, before anything that reads it is overwritten.
std::set<const Stage *> keptStages(const LoweredRegion &region);

/// Names of the functions that a stage uses, its own left out.
std::set<std::string> calledBy(const Stage &stage);

/// Whether a stage is a packed, rounded or kept operand of a contraction, or a round of a
/// transpose.
bool isPacking(const Stage &stage);

/// Schedules what a family has left over: outputs and what is to be kept, along whole rows.
void scheduleRest(LoweredRegion &region, const std::set<const Stage *> &scheduled);
} // namespace axloom::codegen
