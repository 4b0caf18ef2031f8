//===- Entries.h - What ops need of other entries of a batch ----*- C++ -*-===//
//
// A kernel may go through the entries of a ragged batch one by one: it sees one index along the
// batch at a time. An op can be part of it if each entry's results come of that entry alone, or
// are sums over all of them. Tests: tests/support/StructureCases.cpp, compiled beside ragged
// tensors; tests/system/RaggedErrorsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::ir {
/// The axis that a tensor or a size of an op is ragged over; null if there is none.
mlir::StringAttr entriesOf(mlir::Operation *op);

/// Whether an op gives a ragged tensor's own batch another name.
bool renamesEntries(mlir::Operation *op);

/// Whether a result lacks an axis because its op adds up along it.
bool isSumOver(mlir::OpResult result, mlir::StringAttr axis);

/// Why an op cannot work on one index along `entries` at a time, in words for the user; empty if
/// it can.
llvm::StringRef whyNotByEntry(mlir::Operation *op, mlir::StringAttr entries);
} // namespace axloom::ir
