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

/// The bytes of a position-independent relocatable object; the same for the same module. Its code
/// has the instructions of `features` and those of every x86-64, and no others, whatever processor
/// the module's functions name: theirs counts for the order of instructions alone.
std::string objectCode(llvm::Module &module, const ObjectOptions &options);
} // namespace axloom::codegen
