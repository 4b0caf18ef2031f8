//===- FullBatches.h - Sizes where no entry is short ------------*- C++ -*-===//
//
// The values of sizes that follow from lengths (ir/Ragged.h) if each entry of a ragged batch is as
// long as its symbol says. Real numbers, since a product of maxima may exceed every integer. Tests:
// tests/codegen/explain/SizeValuesTest.cpp, tests/codegen/bundle/BundleTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace axloom::codegen {
/// The value of a symbol, of those that are declared.
using DeclaredValue = llvm::function_ref<double(llvm::StringRef symbol)>;

/// The value of any symbol of a function.
double valueInFullBatch(llvm::StringRef symbol, mlir::func::FuncOp function, DeclaredValue valueOf);
} // namespace axloom::codegen
