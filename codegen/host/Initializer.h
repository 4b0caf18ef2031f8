//===- Initializer.h - What a variable starts with --------------*- C++ -*-===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::codegen {
struct VariableInfo;

/// Fills in AXL_INIT_... and its numbers. Fails, with a diagnostic, on an unknown initializer.
/// Test: tests/codegen/host/DescriptionTest.cpp.
mlir::LogicalResult setInitializer(ir::VariableOp op, VariableInfo &info);
} // namespace axloom::codegen
