//===- Sums.h - How functions with updates are computed ---------*- C++ -*-===//
//
// Three kinds: along rows (the update walks what lies side by side), down columns (it walks rows,
// and vectors lie across them), and scattered (where it writes is itself computed). The order of a
// sum follows the index it walks and nothing else. Test: tests/codegen/halide/BlocksTest.cpp,
// AccuracyTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// Sums along a row in one accumulator for each lane: element k always goes to lane k modulo lanes.
/// Lanes are added up as a tree, but one after the other where threads take rows of the stage.
void sumInLanes(Stage &stage, int lanes, bool threadsTakeRows = false);

/// Sums everything up to one number: stretches of all its dimensions in lanes, threads taking them
/// where they may, then these sums. No accumulator gets so many terms that further ones would
/// vanish beside it.
void sumToNumber(Stage &stage, int lanes, bool parallel);

/// Sums down columns with the accumulators in registers, a few vectors of columns at a time;
/// threads take stretches of rows where there is nothing else to take. False, and nothing done,
/// where the columns are no whole vectors.
bool sumDownColumns(Stage &stage, LoweredRegion &region, bool parallel);

/// The same `width` columns at a time, whole vectors of them; what is summed is rounded up to that.
void sumDownColumns(Stage &stage, const Halide::Var &column, int width, int lanes);

/// Walks the domain once for each of a few blocks of columns, in parallel over blocks: of what the
/// update writes, at least the columns are known.
void scheduleScatter(Stage &stage, LoweredRegion &region, bool parallel);

/// What the update walks, innermost first.
std::vector<Halide::RVar> summedBy(const Stage &stage);

/// The variables that the update leaves alone, so that it may be reordered and vectorized along
/// them, innermost first.
std::vector<Halide::Var> pureInUpdate(const Stage &stage);
} // namespace axloom::codegen
