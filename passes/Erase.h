//===- Erase.h - Drop what a rewrite left unused ----------------*- C++ -*-===//

#pragma once

#include "mlir/IR/Value.h"

namespace axloom::passes {
/// Erases the op that makes `value` if nothing uses it, and then what only that op used.
void eraseUnused(mlir::Value value);
} // namespace axloom::passes
