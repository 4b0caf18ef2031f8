//===- Interfaces.h - What ops can be asked ---------------------*- C++ -*-===//
//
// The op interfaces of ir/Interfaces.td: what an op means (ir/reference/), what its adjoint is
// (ir/adjoints/).
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/OpDefinition.h"

namespace axloom::ir::reference {
class Evaluation;
} // namespace axloom::ir::reference

namespace axloom::ir {
class Adjoints;
} // namespace axloom::ir

#include "ir/Interfaces.h.inc"
