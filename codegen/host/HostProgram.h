//===- HostProgram.h - From a planned module to an object file --*- C++ -*-===//
//
// Three steps, each of which can be printed:
//   1. buildHostProgram: one entry for each function, in MLIR's LLVM dialect --emit=kernels
//   2. lowerHostProgram: the same as LLVM IR (codegen/bundle adds the tables) --emit=llvm
//   3. emitObject: machine code that every x86-64 can run; the same bytes for the same module.
// Test: tests/codegen/host/HostProgramTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Description.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace axloom::codegen {
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> buildHostProgram(mlir::ModuleOp planned,
                                                                    const Description &model);

/// Null, with a diagnostic, if MLIR cannot translate it.
std::unique_ptr<llvm::Module> lowerHostProgram(mlir::ModuleOp host, llvm::LLVMContext &context);

/// The bytes of a position-independent relocatable object.
std::string emitObject(llvm::Module &module);
} // namespace axloom::codegen
