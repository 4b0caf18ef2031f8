//===- AttentionPlan.h - How attention kernels are divided ------*- C++ -*-===//
//
// Test: tests/codegen/halide/AttentionPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/ops/AttentionAxes.h"
#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// The only op of this kind in a kernel whose other ops are computed element by element; else null.
template <typename Op> Op onlyAttention(ir::KernelOp kernel);
extern template ir::AttentionOp onlyAttention(ir::KernelOp);
extern template ir::AttentionGradientOp onlyAttention(ir::KernelOp);

/// How a kernel goes through its queries: in blocks that threads take, in blocks one after the
/// other, or all at once; or there is one.
enum class Queries { Parallel, Sequential, AtOnce, One };

/// Loops over the shared axes and blocks of queries of the kernel around `op`; nothing where a
/// family cannot take it. Inputs that the region renames stay whole. Under a causal mask a block of
/// queries knows no key behind its last query, nor, in a sliding window, one that is out of its
/// first query's reach; forward, under any other mask, none behind a place that a number in memory
/// says for all queries (a decoder's position, a length).
template <typename Op>
std::optional<KernelPlan> planAttention(Op op, const AttentionAxes &axes, llvm::StringRef family,
                                        Queries queries);
extern template std::optional<KernelPlan> planAttention(ir::AttentionOp, const AttentionAxes &,
                                                        llvm::StringRef, Queries);
extern template std::optional<KernelPlan>
planAttention(ir::AttentionGradientOp, const AttentionAxes &, llvm::StringRef, Queries);

/// The inputs that a value along an axis is computed from and that are along it, too, whatever name
/// they have for it.
std::set<unsigned> inputsAlong(mlir::Value value, llvm::StringRef axis);

/// The result of the kernel that this value is, as it is or rounded; or nothing.
std::optional<unsigned> resultOf(mlir::Value value);
} // namespace axloom::codegen
