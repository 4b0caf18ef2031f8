//===- PlanMemory.h - Where every kernel result lives -----------*- C++ -*-===//

#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace axloom::passes {
/// `updateInPlace`: let kernels write into the variables that they update, instead of copying at
/// the end.
std::unique_ptr<mlir::Pass> createPlanMemory(bool updateInPlace = true);
} // namespace axloom::passes
