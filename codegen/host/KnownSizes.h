//===- KnownSizes.h - Sizes that a call can tell ----------------*- C++ -*-===//
//
// The runtime learns size symbols from the extents of arguments and results (runtime/core/Sizes.h);
// sessions bring those of their variables. Test: tests/codegen/tools/errors.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace axloom::codegen {
/// Reports functions that compute with a size symbol which no call can tell.
mlir::LogicalResult checkSizesAreKnown(mlir::ModuleOp module);
} // namespace axloom::codegen
