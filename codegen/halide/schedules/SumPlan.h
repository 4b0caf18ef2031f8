//===- SumPlan.h - How the sum of a product is cut --------------*- C++ -*-===//
//
// Products sum all their terms at once unless a cache or a thread gains by less. Test:
// tests/codegen/halide/PlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Target.h"
#include "codegen/halide/Plan.h"

namespace axloom::codegen {
/// Whether a product copies both operands, as the gradient of a weight does.
bool packsBoth(const MatrixPlan &matrix);

/// Terms of a stretch, after which comes the next one; 0: all of them. Sums that pack both operands
/// pack what a stretch reads, which then stays in the private caches, if the target gains by that;
/// of others, long ones go by stretches that do not pack their left operand.
int64_t stretchOfSum(ir::ContractOp op, ir::KernelOp kernel, const MatrixPlan &matrix,
                     const KernelPlan &plan, const TargetTraits &traits);

/// Parts that a sum is cut into: two where a product packs both operands, as the gradient of a
/// weight does, and nothing packs them stretch by stretch. Half of what is packed is then read by
/// the thread that has packed it, which other threads may share no cache with. Only for results
/// that stay in the private cache until they are added up: a step of a small model (width 256)
/// takes 3 % less while two cores have caches of their own, and as long while they share one. Sums
/// that are known to be short stay whole.
int64_t partsOfSum(ir::ContractOp op, ir::KernelOp kernel, const MatrixPlan &matrix,
                   const KernelPlan &plan, const TargetTraits &traits);
} // namespace axloom::codegen
