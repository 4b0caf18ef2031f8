// Types of ops that the user's program defines.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

static const CustomDefinition *find(MLIRContext *context, StringRef name) {
  return context->getLoadedDialect<AxloomDialect>()->customOps.find(name);
}

const CustomDefinition *CustomOp::requireDefinition() {
  const CustomDefinition *definition = find(getContext(), getDefinition());
  if (!definition)
    emitError("op '") << getDefinition()
                      << "' is not defined here: what it means is C++ in the program that its "
                         "author wrote, so run that program and not its printed graph";
  return definition;
}

/// "(f32, i1)"
static std::string listOf(TypeRange elements) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(elements, stream << "(");
  stream << ")";
  return text;
}

/// Without a definition there is no more to say than that operands fit each other.
static LogicalResult checkElements(MaybeLocation location, CustomOp::Adaptor op,
                                   const CustomDefinition *definition) {
  auto found = llvm::map_to_vector(
      op.getInputs(), [](Value operand) { return tensorType(operand).getElementType(); });
  if (!definition || definition->elements == found)
    return success();
  return fail(location, "op '") << op.getDefinition() << "' takes elements of "
                                << listOf(definition->elements) << ", found " << listOf(found);
}

LogicalResult CustomOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                         Adaptor operands, SmallVectorImpl<Type> &results) {
  if (failed(checkElements(location, operands, find(context, operands.getDefinition()))))
    return failure();
  SmallVector<NamedTensorType> types;
  SmallVector<std::string> sides;
  Type element;
  for (auto [number, operand] : llvm::enumerate(operands.getInputs())) {
    NamedTensorType type = tensorType(operand);
    types.push_back(type);
    sides.push_back("in operand " + std::to_string(number + 1));
    if (!isa<FloatType>(type.getElementType()))
      continue;
    if (element && element != type.getElementType())
      return fail(location, "element types differ: ")
             << element << " and " << type.getElementType() << " in operand " << number + 1;
    element = type.getElementType();
  }
  if (!element)
    return fail(location, "op '") << operands.getDefinition()
                                  << "' has no floating-point operand, expected one or more";
  FailureOr<SmallVector<Axis>> axes =
      unionOf(location, types, SmallVector<StringRef>(sides.begin(), sides.end()));
  if (failed(axes))
    return failure();
  results.push_back(NamedTensorType::get(*axes, element));
  return success();
}
