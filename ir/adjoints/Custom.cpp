// Adjoints of ops that the user's program defines, and what they have to be: the user's rule may
// leave an adjoint as broad as the result, which is then summed, but an axis that neither operand
// nor result has, or one that went missing, is a mistake.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

/// Whether every axis of `part` is in `whole`, with one size.
static bool isWithin(NamedTensorType part, NamedTensorType whole) {
  return llvm::all_of(part.getAxes(),
                      [&](const Axis &axis) { return llvm::is_contained(whole.getAxes(), axis); });
}

static LogicalResult checkAdjoint(CustomOp op, const CustomDefinition &definition, unsigned number,
                                  Value adjoint) {
  NamedTensorType operand = tensorType(op.getInputs()[number]), result = tensorType(op.getY());
  InFlightDiagnostic error = op.emitError("the adjoint of operand ")
                             << number + 1 << " of '" << definition.name << "' ";
  error.attachNote(definition.location) << "'" << definition.name << "' is defined here";
  if (!adjoint)
    return error << "is missing, expected a tensor for each floating-point operand";
  NamedTensorType type = tensorType(adjoint);
  if (type.getElementType() != operand.getElementType() || !isWithin(operand, type) ||
      !isWithin(type, result))
    return error << "is " << type << ", expected the axes of the operand, " << operand
                 << ", and no others than those of the result, " << result;
  error.abandon();
  return success();
}

LogicalResult CustomOp::buildAdjoints(Adjoints &adjoints) {
  const CustomDefinition *definition = requireDefinition();
  if (!definition)
    return failure();
  if (!definition->adjoint) {
    InFlightDiagnostic error = emitError("'")
                               << definition->name
                               << "' has no adjoint, but a gradient is asked for through it";
    error.attachNote(definition->location) << "give its definition an adjoint";
    return error;
  }
  FailureOr<SmallVector<Value>> found = definition->adjoint(*this, adjoints);
  if (failed(found))
    return failure();
  for (auto [number, operand, adjoint] : llvm::enumerate(getInputs(), *found)) {
    if (!isa<FloatType>(tensorType(operand).getElementType()))
      continue;
    if (failed(checkAdjoint(*this, *definition, number, adjoint)))
      return failure();
    adjoints.add(operand, adjoint);
  }
  return success();
}
