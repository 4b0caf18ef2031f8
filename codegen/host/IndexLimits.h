//===- IndexLimits.h - Which arguments must lie inside an axis --*- C++ -*-===//
//
// An i32 argument that picks elements along an axis (token ids, the position in a cache) is checked
// before the call, so that a wrong id is an error and never a wild read or a write that is lost.
// Test: tests/codegen/host/IndexLimitsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::codegen {
/// The sizes that all elements of `value` must be below because of how it is used: the smallest
/// fixed one, and all others that a call decides. Slices that leave no element out count with the
/// largest limit of theirs; a ragged axis, which ends elsewhere for each entry, with its longest.
llvm::SmallVector<ir::SizeAttr> indexLimits(mlir::Value value);
} // namespace axloom::codegen
