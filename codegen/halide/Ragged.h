//===- Ragged.h - Ragged kernels as dense ones ------------------*- C++ -*-===//
//
// Block kernels know nothing of ragged axes. A kernel that only walks over a ragged pair [batch,
// position] becomes one over a single axis of tokens, whose size is the total of the lengths. One
// that tells entries apart (attention, sums over positions alone, iota, counters) runs once for
// each entry: the runtime's loop narrows the tensors to it, and the ragged size in its types stands
// for the length of that entry. Test: tests/system/RaggedTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Canonical.h"
#include "codegen/halide/Plan.h"

namespace axloom::codegen {
/// Whether a tensor in the kernel is ragged.
bool isRagged(ir::KernelOp kernel);

/// A copy of a ragged kernel that is dense: over all tokens if possible, else over one entry at a
/// time, which its attribute `entries` says. Fails, with a diagnostic, on an op that can be
/// neither.
mlir::FailureOr<IsolatedKernel> makeDense(ir::KernelOp kernel);

/// The axis whose entries the runtime goes through one by one, or null.
mlir::StringAttr entriesOf(ir::KernelOp kernel);

/// Puts the loop over entries around a plan for one entry.
void planEntries(ir::KernelOp kernel, KernelPlan &plan);
} // namespace axloom::codegen
