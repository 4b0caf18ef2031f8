//===- Dialect.h - The axloom dialect ---------------------------*- C++ -*-===//

#pragma once

#include "ir/Axes.h"
#include "ir/Interfaces.h"
#include "ir/Types.h"
#include "ir/adjoints/Adjoints.h"
#include "ir/canonicalize/Fold.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace axloom::ir {
/// Marks ops that work element by element, with operands broadcast by name.
template <typename ConcreteOp>
class Pointwise : public mlir::OpTrait::TraitBase<ConcreteOp, Pointwise> {};
} // namespace axloom::ir

#define GET_OP_CLASSES
#include "ir/Ops.h.inc"

namespace axloom::ir {
/// The most that a size can be, from what the module says of its symbols.
int64_t maximumOf(SizeAttr size, const mlir::SymbolTable &symbols);
} // namespace axloom::ir
