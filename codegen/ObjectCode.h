//===- ObjectCode.h - From LLVM IR to an object file ------------*- C++ -*-===//
//
// The last step of everything that runs on a CPU: host programs and kernels. Test:
// tests/codegen/ObjectCodeTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CodeGen.h"

#include <string>

namespace llvm {
class Module;
}

namespace axloom::codegen {
struct ObjectOptions {
  llvm::ArrayRef<std::string> features; // instruction sets by LLVM's names
  llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive;
};

/// The bytes of a position-independent relocatable object; the same for the same module, which is
/// changed. Its code has the instructions of `features` and those of every x86-64, and no others,
/// whatever the module's functions ask for. The processor that they are tuned for stays: it orders
/// these instructions and chooses among them. Whether sums may be reordered and products fused with
/// them is up to the flags of each instruction.
std::string objectCode(llvm::Module &module, const ObjectOptions &options);
} // namespace axloom::codegen
