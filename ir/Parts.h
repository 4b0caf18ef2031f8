//===- Parts.h - How many elements one is chosen from -----------*- C++ -*-===//
//
// An element of a concat is one of an element of each part. Where these come of concats in turn,
// through ops that only move elements, there are many. Tests: tests/passes/form-kernels.mlir,
// tests/codegen/halide/BlocksTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::ir {
/// The most tensors that an op which is computed anew reads, such as the parts of a concat: a
/// kernel has room for so many only.
inline constexpr unsigned mostParts = 16;

/// Whether an element of a concat would be chosen from more than that: then it is kept, in memory
/// or within a kernel.
bool readsManyParts(ConcatOp op);
} // namespace axloom::ir
