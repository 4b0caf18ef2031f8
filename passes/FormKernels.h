//===- FormKernels.h - Outline groups of ops as kernels ---------*- C++ -*-===//

#pragma once

#include "passes/KernelClusters.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace axloom::passes {
std::unique_ptr<mlir::Pass> createFormKernels(const KernelOptions &options = {});
} // namespace axloom::passes
