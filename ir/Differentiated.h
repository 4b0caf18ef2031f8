//===- Differentiated.h - What gradients are asked for of -------*- C++ -*-===//
#pragma once

#include "ir/Dialect.h"

namespace axloom::ir {
/// Whether a gradient is asked for with respect to this value. Who looks through it then, to what
/// it was computed from, takes the path from it to the loss away.
inline bool isDifferentiated(mlir::Value value) {
  return llvm::any_of(value.getUsers(), [&](mlir::Operation *user) {
    auto gradient = llvm::dyn_cast<GradientOp>(user);
    return gradient && llvm::is_contained(gradient.getWrt(), value);
  });
}
} // namespace axloom::ir
