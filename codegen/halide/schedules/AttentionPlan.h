//===- AttentionPlan.h - How attention kernels are divided ------*- C++ -*-===//

#pragma once

#include "codegen/halide/ops/AttentionAxes.h"
#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// The only op of this kind in a kernel whose other ops are computed element by element; else null.
template <typename Op> Op onlyAttention(ir::KernelOp kernel);
extern template ir::AttentionOp onlyAttention(ir::KernelOp);
extern template ir::AttentionGradientOp onlyAttention(ir::KernelOp);

/// Whether a mask [.., query, key] hides from every query the keys behind it.
bool isCausal(mlir::Value mask, const AttentionAxes &axes);

/// Loops over the shared axes and, `parallel` or not, over blocks of queries of the kernel around
/// `op`; nothing where a family cannot take it. Inputs that the region renames stay whole. Under a
/// causal mask a block of queries knows no key behind its last query.
template <typename Op>
std::optional<KernelPlan> planAttention(Op op, const AttentionAxes &axes, llvm::StringRef family,
                                        bool parallel);
extern template std::optional<KernelPlan> planAttention(ir::AttentionOp, const AttentionAxes &,
                                                        llvm::StringRef, bool);
extern template std::optional<KernelPlan>
planAttention(ir::AttentionGradientOp, const AttentionAxes &, llvm::StringRef, bool);

/// The result that yields this value, or nothing.
std::optional<unsigned> resultOf(mlir::Value value, ir::KernelOp kernel);
} // namespace axloom::codegen
