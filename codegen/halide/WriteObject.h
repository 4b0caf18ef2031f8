//===- WriteObject.h - From a Halide module to an object file ---*- C++ -*-===//
//
// Halide lowers and optimizes; machine code is made here (codegen/ObjectCode.h). Halide 21 would
// make it for a model of processor that it takes for an instruction set's: for bf16, AMD's Zen 4,
// some of whose instructions (SSE4a) no processor of Intel has.
//
// Test: tests/codegen/halide/BackendTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Region.h"

#include <string>

namespace axloom::codegen {
/// Writes the object file `path`, or nothing. Errors name the kernel.
mlir::LogicalResult writeObject(const Halide::Module &module, ir::KernelOp kernel,
                                const Target &target, const std::string &path);
} // namespace axloom::codegen
