//===- AssignLayouts.h - The physical order of every tensor -----*- C++ -*-===//

#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace axloom::passes {
std::unique_ptr<mlir::Pass> createAssignLayouts();
} // namespace axloom::passes
