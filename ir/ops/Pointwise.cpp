// Type inference and verifiers of the pointwise ops: results have the union of the operands' axes.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

using Types = SmallVectorImpl<Type>;

/// The union of the operands' axes, with the given element type.
static LogicalResult inferUnion(MaybeLocation location, ValueRange operands,
                                ArrayRef<StringRef> sides, Type elementType, Types &results) {
  SmallVector<NamedTensorType> types;
  for (Value operand : operands)
    types.push_back(tensorType(operand));
  FailureOr<SmallVector<Axis>> axes = unionOf(location, types, sides);
  if (failed(axes))
    return failure();
  results.push_back(NamedTensorType::get(*axes, elementType));
  return success();
}

static LogicalResult requireSameElements(MaybeLocation location, Value a, Value b) {
  Type left = tensorType(a).getElementType(), right = tensorType(b).getElementType();
  if (left == right)
    return success();
  return fail(location, "element types differ: ")
         << left << " on the left, " << right << " on the right";
}

static LogicalResult inferBinary(MaybeLocation location, Value a, Value b, Types &results) {
  if (failed(requireSameElements(location, a, b)))
    return failure();
  return inferUnion(location, {a, b}, {"on the left", "on the right"},
                    tensorType(a).getElementType(), results);
}

#define AXLOOM_UNARY(Op)                                                                           \
  LogicalResult Op::inferReturnTypes(MLIRContext *, MaybeLocation, Adaptor operands,               \
                                     Types &results) {                                             \
    results.push_back(operands.getX().getType());                                                  \
    return success();                                                                              \
  }
AXLOOM_UNARY(NegOp)
AXLOOM_UNARY(AbsOp)
AXLOOM_UNARY(ExpOp)
AXLOOM_UNARY(LogOp)
AXLOOM_UNARY(SqrtOp)
AXLOOM_UNARY(RsqrtOp)
AXLOOM_UNARY(TanhOp)
AXLOOM_UNARY(ErfOp)
AXLOOM_UNARY(SinOp)
AXLOOM_UNARY(CosOp)
AXLOOM_UNARY(FloorOp)
AXLOOM_UNARY(NotOp)
#undef AXLOOM_UNARY

#define AXLOOM_BINARY(Op)                                                                          \
  LogicalResult Op::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,      \
                                     Types &results) {                                             \
    return inferBinary(location, operands.getA(), operands.getB(), results);                       \
  }
AXLOOM_BINARY(AddOp)
AXLOOM_BINARY(SubOp)
AXLOOM_BINARY(MulOp)
AXLOOM_BINARY(DivOp)
AXLOOM_BINARY(RemOp)
AXLOOM_BINARY(PowOp)
AXLOOM_BINARY(MaximumOp)
AXLOOM_BINARY(MinimumOp)
AXLOOM_BINARY(AndOp)
AXLOOM_BINARY(OrOp)
#undef AXLOOM_BINARY

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                          Adaptor operands, Types &results) {
  if (failed(requireSameElements(location, operands.getA(), operands.getB())))
    return failure();
  return inferUnion(location, {operands.getA(), operands.getB()}, {"on the left", "on the right"},
                    IntegerType::get(context, 1), results);
}

LogicalResult CompareOp::verify() {
  if (llvm::is_contained({"eq", "ne", "lt", "le", "gt", "ge"}, getPredicate()))
    return success();
  return emitOpError("predicate is '") << getPredicate() << "', expected eq, ne, lt, le, gt or ge";
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  if (failed(requireSameElements(location, operands.getA(), operands.getB())))
    return failure();
  return inferUnion(location, {operands.getMask(), operands.getA(), operands.getB()},
                    {"in the mask", "in the first choice", "in the second choice"},
                    tensorType(operands.getA()).getElementType(), results);
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                       Types &results) {
  auto reject = [&] { return fail(location, "cannot cast: "); };
  if (failed(
          NamedTensorType::verify(reject, tensorType(operands.getX()).getAxes(), operands.getTo())))
    return failure();
  results.push_back(tensorType(operands.getX()).withElementType(operands.getTo()));
  return success();
}

LogicalResult RandomOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  for (Value scalar : {operands.getSeed(), operands.getStep(), operands.getSite()})
    if (!tensorType(scalar).isScalar())
      return fail(location, "seed, step and site of random must be scalars, found ")
             << scalar.getType();
  results.push_back(operands.getShape());
  return success();
}
