//===- Emit.h - From a kernel to an object file -----------------*- C++ -*-===//
//
// Test: tests/codegen/halide/BackendTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/KernelCache.h"
#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// The name of the function that a block of a kernel becomes, without Halide's suffix `_argv`.
std::string blockName(llvm::StringRef kernelName, size_t block);

/// The same for the kernel that prepares the right operand of a contraction.
std::string preparationName(llvm::StringRef kernelName, size_t contraction);

/// The name in the cache of an object that has the generic schedule because Halide refused the
/// kernel's own.
std::string fallbackName(llvm::StringRef kernelName);

/// Whether a schedule that Halide refuses is an error (AXLOOM_STRICT_SCHEDULES), so that no
/// fallback will do.
bool schedulesAreStrict();

/// Lowers, schedules and compiles all blocks of a kernel into one object file, in the cache under
/// `name` or `fallbackName(name)`. Must run in a process that has used no Halide before, or names
/// (and so bytes) would depend on what that was.
mlir::LogicalResult emitObject(ir::KernelOp kernel, const Family &family, const KernelPlan &plan,
                               const Target &target, llvm::StringRef name,
                               const KernelCache &cache);
} // namespace axloom::codegen
