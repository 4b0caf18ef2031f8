//===- PlanMemory.h - Where every kernel result lives -----------*- C++ -*-===//

#pragma once

#include "passes/MemoryBudget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace axloom::passes {
/// `updateInPlace`: let kernels write into the variables that they update, instead of copying at
/// the end. The arena is packed for the sizes of the budget.
std::unique_ptr<mlir::Pass> createPlanMemory(bool updateInPlace = true, MemoryBudget budget = {});

/// The bytes that a tensor of this type takes.
ir::SizeAttr byteSize(ir::NamedTensorType type);

/// The bytes of a planned function's arena, without the scratch memory of kernels. The budget has a
/// value for each of its sizes.
int64_t arenaBytes(mlir::func::FuncOp function, const MemoryBudget &budget);
} // namespace axloom::passes
