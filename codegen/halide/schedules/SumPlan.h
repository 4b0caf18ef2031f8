//===- SumPlan.h - How the sum of a product is cut --------------*- C++ -*-===//
//
// Products sum all their terms at once unless a cache or a thread gains by less. Test:
// tests/codegen/halide/ContractionPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Target.h"
#include "codegen/halide/Plan.h"

namespace axloom::codegen {
/// Whether a product copies both operands, as the gradient of a weight does.
bool packsBoth(const MatrixPlan &matrix);

/// Parts that a sum is cut into: two where a product packs both operands, as the gradient of a
/// weight does, and its result is small (`TargetTraits::partedBytes`). Half of what is packed is
/// then read by the thread that has packed it, which other threads may share no cache with. With
/// AVX-512, a step of a small model (width 256) takes 3 % less while two cores have caches of their
/// own, and as long while they share one. On an Emerald Rapids, gradients of 512 x 512 take 13 %
/// less than by stretches. Sums that are known to be short stay whole.
int64_t partsOfSum(ir::ContractOp op, ir::KernelOp kernel, const MatrixPlan &matrix,
                   const KernelPlan &plan, const TargetTraits &traits);

/// Terms of a stretch, after which comes the next one; 0: all of them. Sums that pack both operands
/// and are not cut into parts pack what a stretch reads, which then stays in the private caches, if
/// the target gains by that; of others, long ones go by stretches that do not pack their left
/// operand.
int64_t stretchOfSum(ir::ContractOp op, ir::KernelOp kernel, const MatrixPlan &matrix,
                     const KernelPlan &plan, const TargetTraits &traits);
} // namespace axloom::codegen
