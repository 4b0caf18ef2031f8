//===- Expand.h - Composites in terms of other ops --------------*- C++ -*-===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::codegen {
/// Replaces linear_cross_entropy within a kernel by contractions and row-wise ops, which have fast
/// schedules; it has no lowering of its own. Test: tests/codegen/halide/ContractionTest.cpp.
void expandComposites(ir::KernelOp kernel);
} // namespace axloom::codegen
