//===- Interfaces.h - What ops can be asked ---------------------*- C++ -*-===//
//
// The op interfaces of ir/Interfaces.td. Their models are attached by the libraries that hold them.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/OpDefinition.h"

namespace axloom::ir::reference {
class Evaluation;
} // namespace axloom::ir::reference

#include "ir/Interfaces.h.inc"
