//===- Diagnostics.h - Errors as a user reads them --------------*- C++ -*-===//

#pragma once

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace axloom::codegen {
/// "model.cpp:12:3", or nothing if no file is known.
std::string placeOf(mlir::Location location);

/// While it lives, diagnostics of the context are written as "file:line:column: error: message",
/// notes indented under them, without the IR that they are about.
class UserDiagnostics : public mlir::ScopedDiagnosticHandler {
public:
  UserDiagnostics(mlir::MLIRContext *context, llvm::raw_ostream &os);
};
} // namespace axloom::codegen
