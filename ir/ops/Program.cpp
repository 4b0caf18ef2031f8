// Verifiers of the ops around a program's functions, and of kernels.

#include "ir/Dialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace axloom::ir;

LogicalResult SizeOp::verify() {
  if (getMax() > 0)
    return success();
  return emitOpError("max is ") << getMax() << ", expected a positive number";
}

LogicalResult VariableOp::verify() {
  if (!llvm::is_contained({"parameter", "state", "session"}, getKind()))
    return emitOpError("kind is '") << getKind() << "', expected parameter, state or session";
  auto type = llvm::cast<NamedTensorType>(getType());
  llvm::SmallDenseSet<StringRef> ordered;
  for (auto name : getOrder().getAsRange<StringAttr>())
    if (!type.has(name.getValue()) || !ordered.insert(name.getValue()).second)
      return emitOpError("order names axis '")
             << name.getValue() << "', which " << type << " lacks or has once only";
  if (ordered.size() != type.rank())
    return emitOpError("order names ")
           << ordered.size() << " axes, but the type has " << type.rank();
  if (getKind() != "session")
    for (const Axis &axis : type.getAxes())
      if (!axis.size().isFixed())
        return emitOpError("axis '")
               << axis.name.getValue() << "' has size " << axis.size().str()
               << ", expected a fixed number; only session variables may have symbols";
  return success();
}

/// Checks that a read or written value has the variable's type.
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr symbol, Type type,
                                       SymbolTableCollection &tables) {
  auto variable = tables.lookupNearestSymbolFrom<VariableOp>(op, symbol);
  if (!variable)
    return op->emitOpError("there is no variable '") << symbol.getValue() << "'";
  if (variable.getType() != type)
    return op->emitOpError("variable '")
           << symbol.getValue() << "' has type " << variable.getType() << ", found " << type;
  return success();
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariableUse(*this, getVariableAttr(), getResult().getType(), tables);
}

LogicalResult WriteOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariableUse(*this, getVariableAttr(), getValue().getType(), tables);
}

LogicalResult GradientOp::verify() {
  if (!tensorType(getLoss()).isScalar())
    return emitOpError("loss is ") << getLoss().getType() << ", expected a scalar";
  if (getWrt().getTypes() != getGradients().getTypes())
    return emitOpError("gradients must have the types of the values they belong to");
  return success();
}

LogicalResult KernelOp::verify() {
  Block &body = getBody().front();
  if (body.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("the region's arguments must have the types of the inputs");
  if (body.empty() || !llvm::isa<YieldOp>(body.back()))
    return emitOpError("the region must end in axloom.yield");
  if (body.back().getOperandTypes() != getOutputs().getTypes())
    return emitOpError("the yielded values must have the types of the outputs");
  if (getInputLayouts() && getInputLayouts()->size() != getInputs().size())
    return emitOpError("has ") << getInputLayouts()->size() << " input layouts for "
                               << getInputs().size() << " inputs";
  if (getResultLayouts() && getResultLayouts()->size() != getOutputs().size())
    return emitOpError("has ") << getResultLayouts()->size() << " result layouts for "
                               << getOutputs().size() << " results";
  if (getPlacements() && getPlacements()->size() != getOutputs().size())
    return emitOpError("has ") << getPlacements()->size() << " placements for "
                               << getOutputs().size() << " results";
  for (int64_t index : getByValue().value_or(ArrayRef<int64_t>()))
    if (index < 0 || index >= int64_t(getInputs().size()) ||
        !tensorType(getInputs()[index]).isScalar())
      return emitOpError("by_value names input ")
             << index << ", expected the index of a scalar input";
  return success();
}

int64_t axloom::ir::maximumOf(SizeAttr size, const SymbolTable &symbols) {
  int64_t maximum = size.getFactor();
  for (StringAttr symbol : size.getSymbols())
    maximum *= symbols.lookup<SizeOp>(symbol).getMax();
  return maximum;
}
