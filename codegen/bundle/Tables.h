//===- Tables.h - The static tables of a model, as LLVM globals -*- C++ -*-===//
//
// Adds the constant `<name>_model`, an axl_model (runtime/abi/axloom.h), and all that it points at
// to the host program's LLVM module. The structs here mirror that header field by field; a test
// reads them back through it. Test: tests/codegen/host/DescriptionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Description.h"

namespace llvm {
class Module;
}

namespace axloom::codegen {
void addTables(llvm::Module &module, const Description &model);
} // namespace axloom::codegen
