//===- Packing.h - Operands of contractions, as the plan wants them -*- C++ -*-===//
//
// A planned contraction reads its right operand from panels of columns and its left one directly,
// from a copy, or from tiles of rows; see MatrixPlan. Without a plan both are read where they are.
// Test: tests/codegen/halide/ContractionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Region.h"

namespace axloom::codegen {
/// The factors that an instruction multiplies at once, as dimensions: which pair, and where in it.
constexpr llvm::StringRef pairOfFactors = "pair_of_factors", placeInPair = "place_in_pair";

/// The dimension of a product that is summed in parts (`MatrixPlan::parts`): of which part.
constexpr llvm::StringRef partOfSum = "part_of_sum";

/// How to read the first and the second operand.
std::pair<LoweredRegion::Definition, LoweredRegion::Definition>
contractionOperands(ir::ContractOp op, LoweredRegion &region);

/// What a contraction sums over, or a part of it does, and coordinates that walk it, from those of
/// the product: where factors are multiplied in pairs, first along the pair, then along pairs.
Halide::RDom domainOfProducts(ir::ContractOp op, LoweredRegion &region);
Coordinates walkProducts(Coordinates coordinates, ir::ContractOp op, const Halide::RDom &domain,
                         LoweredRegion &region);

/// The function that packs the right operand of a contraction, which is an input: what a kernel of
/// its own computes where the plan says Prepared.
Stage &packedRight(ir::ContractOp op, const MatrixPlan &plan, LoweredRegion &region);

/// The plan of a contraction, or null.
const MatrixPlan *planOf(ir::ContractOp op, const LoweredRegion &region);
} // namespace axloom::codegen
