//===- Initializer.h - What a variable starts with --------------*- C++ -*-===//

#pragma once

#include "codegen/host/Description.h"

namespace axloom::codegen {
/// Fills in AXL_INIT_... and its numbers. Fails, with a diagnostic, on an initializer that there is
/// not. Test: tests/codegen/host/DescriptionTest.cpp.
mlir::LogicalResult setInitializer(ir::VariableOp op, VariableInfo &info);
} // namespace axloom::codegen
