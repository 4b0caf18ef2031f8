//===- Roles.h - Which part of its op a function computes -------*- C++ -*-===//
//
// Names that lowerings (ops/) give to parts of an op, for schedules (schedules/) to find them by.
// Parts that no schedule asks for have theirs in the lowering; so has most of attention where it
// is lowered without blocks (ops/Attention.cpp).
//
//===----------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/StringRef.h"

namespace axloom::codegen::roles {
using llvm::StringLiteral;

// Of a contraction: its sum, and operands that are not read where they lie.
inline constexpr StringLiteral productSum = "product_sum", packedRight = "packed_right",
                               tiledLeft = "tiled_left", keptLeft = "kept_left",
                               roundedLeft = "rounded_left";

// Of softmax and cross entropy.
inline constexpr StringLiteral rowStatistics = "row_statistics";

// Of attention and its gradient: factors of products; `...Columns` lie with columns along vectors.
inline constexpr StringLiteral queries = "queries", keys = "keys", values = "values",
                               gradients = "gradients", outputs = "outputs",
                               keyColumns = "key_columns", queryColumns = "query_columns",
                               gradientColumns = "gradient_columns";
// Scores and what comes of them, [key][query].
inline constexpr StringLiteral scoreProduct = "score_product", score = "score", power = "power",
                               weight = "weight", factorsOfWeight = "factors_of_weight",
                               gradientProduct = "gradient_product", slopes = "slopes",
                               factorsOfSlopes = "factors_of_slopes";
// One number for each query.
inline constexpr StringLiteral largest = "largest", total = "total", inverse = "inverse",
                               normalizer = "normalizer", rowSum = "row_sum";
// Results.
inline constexpr StringLiteral weightedSum = "weighted_sum", dq = "dq", dk = "dk", dv = "dv";

// All results of a kernel that computes them together.
inline constexpr StringLiteral results = "results";

// Behind the name of a part, for what it is made of: rows as they lie, or lanes of a row's sum.
inline constexpr StringLiteral inRows = "_in_rows", ofLane = "_of_lane";
} // namespace axloom::codegen::roles
