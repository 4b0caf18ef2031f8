//===- RecomputeActivations.h - Compute anew what is slower to read -*- C++ -*-===//

#pragma once

#include "passes/KernelClusters.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace axloom::passes {
/// `options`: those that kernels will be formed with.
std::unique_ptr<mlir::Pass> createRecomputeActivations(const KernelOptions &options = {});
} // namespace axloom::passes
