//===- AttentionMask.h - Which keys a mask hides ----------------*- C++ -*-===//
//
// What of a mask's meaning decides how many keys a block of queries knows. Only comparisons of
// places count, alone or joined with any other mask by "and". Test:
// tests/codegen/halide/AttentionPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Plan.h"
#include "codegen/halide/ops/AttentionAxes.h"

namespace axloom::codegen {
/// How far behind a key the queries are that see it, at least and at most: from 0 under a causal
/// mask, up to n - 1 in a sliding window of n keys. Nothing: no bound is known.
struct ShownDistances {
  std::optional<int64_t> least, most;
};

/// Of a mask [.., query, key] over queries and keys of one size; no bounds for any other.
ShownDistances shownDistances(mlir::Value mask, const AttentionAxes &axes);

/// The keys up to a place that a number in memory says, which is the same for all queries of a
/// chunk (a decoder's position, a length); nothing where a mask shows others, too.
std::optional<PlannedPrefix> shownPrefix(mlir::Value mask, const AttentionAxes &axes);
} // namespace axloom::codegen
