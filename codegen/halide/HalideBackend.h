//===- HalideBackend.h - Kernels for CPUs -----------------------*- C++ -*-===//
//
// Canonical form, cache, worker processes, Halide. Test: tests/codegen/halide/BackendTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

namespace axloom::codegen {
std::unique_ptr<Backend> createHalideBackend();
} // namespace axloom::codegen
