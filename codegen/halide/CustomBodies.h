//===- CustomBodies.h - Custom ops inside kernels ---------------*- C++ -*-===//
//
// The bodies of a kernel's custom ops are found by name in its context. Test:
// tests/codegen/halide/CustomOpTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/HalideBody.h"
#include "ir/Dialect.h"

namespace axloom::codegen {
/// The body of an op; null, with an error at the op, if it has none in Halide.
const HalideBody *requireBody(ir::CustomOp op);

/// What the custom ops of a kernel compute: a part of the kernel's key.
mlir::FailureOr<std::string> bodiesOf(ir::KernelOp kernel);
} // namespace axloom::codegen
