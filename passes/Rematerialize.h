//===- Rematerialize.h - Recompute instead of keeping -----------*- C++ -*-===//

#pragma once

#include "passes/MemoryBudget.h"

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <memory>

namespace axloom::passes {
/// `plan` adds the passes that turn a graph into planned kernels: what a choice is worth is read
/// off their result.
std::unique_ptr<mlir::Pass> createRematerialize(MemoryBudget budget,
                                                std::function<void(mlir::OpPassManager &)> plan);
} // namespace axloom::passes
