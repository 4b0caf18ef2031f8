//===- Initializer.h - What a variable starts with --------------*- C++ -*-===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::codegen {
struct VariableInfo;

/// Fills in AXL_INIT_... and its numbers. Test: tests/codegen/host/DescriptionTest.cpp.
void setInitializer(ir::VariableOp op, VariableInfo &info);
} // namespace axloom::codegen
