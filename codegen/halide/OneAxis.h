//===- OneAxis.h - Kernels that are the same for any shape ------*- C++ -*-===//
//
// A kernel of a group (passes/GroupUpdates.cpp) does the same to each element, whatever the shape
// of its tensors: as a kernel over one axis of so many elements it shares its code with the others.
// Test: tests/codegen/halide/OneAxisTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"
#include "codegen/Canonical.h"

namespace axloom::codegen {
/// A copy of a kernel of a group whose tensors have one axis, of symbolic size; scalars stay.
IsolatedKernel overOneAxis(ir::KernelOp kernel);

/// Gives a description that was made from such a copy the number of elements that the kernel itself
/// has.
void setElementCount(CompiledKernel &description, ir::KernelOp kernel);
} // namespace axloom::codegen
