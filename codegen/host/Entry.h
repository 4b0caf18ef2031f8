//===- Entry.h - The host function of one planned function ------*- C++ -*-===//
//
// From
//   func.func @f(%x) -> %y { %v = axloom.read @v; %y = axloom.kernel ...(%x, %v); axloom.write @v,
//   ...; return %y }
// to an axl_entry (runtime/abi/axloom.h):
//   1. compute the sizes and the byte offset of each slot, and ask for the arena;
//   2. find the memory of arguments, results and the variables that are used;
//   3. copy results that are arguments or old values of variables, before anything is overwritten;
//   4. for each kernel, in order: fill its tensors and scalars and launch it; those of a group are
//      one launch, where the last of them stands;
//   5. copy results and new values of variables that were not written in place.
// A call that returns a code other than AXL_OK ends the entry with that code.
// Test: tests/codegen/host/HostProgramTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Abi.h"
#include "codegen/host/Description.h"

namespace axloom::codegen {
/// The name of the entry of a function.
std::string entryName(llvm::StringRef model, llvm::StringRef function);

/// Builds the entry of `planned` into the module of `abi`. Fails, with a diagnostic, where the plan
/// contradicts itself.
mlir::LogicalResult buildEntry(Abi &abi, mlir::ModuleOp into, const Description &model,
                               mlir::func::FuncOp planned);
} // namespace axloom::codegen
