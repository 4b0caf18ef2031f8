//===- IndexLimits.h - Which arguments must lie inside an axis --*- C++ -*-===//
//
// An i32 argument that picks elements along an axis of fixed size (token ids) is checked before the
// call, so that a wrong id is an error and never a wild read. Test:
// tests/codegen/host/IndexLimitsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/Value.h"

namespace axloom::codegen {
/// n, where all elements of `value` must lie in [0, n) because of how it is used; 0 if no such n is
/// known.
int64_t indexLimit(mlir::Value value);
} // namespace axloom::codegen
