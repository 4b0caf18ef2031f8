//===- KeepFunctions.h - A part of a program --------------------*- C++ -*-===//
//
// What the flag --functions does: a program that only serves a model needs neither the functions
// that train it nor what an optimizer remembers. Test: tests/codegen/driver/GenerateTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace axloom::codegen {
/// Leaves these functions alone in a module, with the variables that they read or write. If one of
/// the names is wrong, nothing changes and the result is a sentence for the user; otherwise it is
/// empty.
std::string keepFunctions(mlir::ModuleOp module, llvm::ArrayRef<std::string> names);
} // namespace axloom::codegen
