// Type inference and verifiers of the pointwise ops: results have the union of the operands' axes.

#include "ir/Dialect.h"
#include "ir/Elements.h"
#include "runtime/Random.h"

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

static LogicalResult inferBinary(MaybeLocation location, Value a, Value b, Types &results) {
  if (failed(requireSameElements(location, a, "on the left", b, "on the right")))
    return failure();
  return inferUnion(location, {a, b}, {"on the left", "on the right"},
                    tensorType(a).getElementType(), results);
}

static LogicalResult inferArithmetic(MaybeLocation location, Value a, Value b, Types &results) {
  Type element = tensorType(a).getElementType();
  if (element.isInteger(1))
    return fail(location, "arithmetic on ")
           << element << ", expected numbers; use `and`, `or`, or a cast";
  return inferBinary(location, a, b, results);
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
AXLOOM_UNARY(SigmoidOp)
AXLOOM_UNARY(ErfOp)
AXLOOM_UNARY(SinOp)
AXLOOM_UNARY(CosOp)
AXLOOM_UNARY(FloorOp)
AXLOOM_UNARY(StopGradientOp)
AXLOOM_UNARY(NotOp)
#undef AXLOOM_UNARY

#define AXLOOM_BINARY(Op, infer)                                                                   \
  LogicalResult Op::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,      \
                                     Types &results) {                                             \
    return infer(location, operands.getA(), operands.getB(), results);                             \
  }
AXLOOM_BINARY(AddOp, inferArithmetic)
AXLOOM_BINARY(SubOp, inferArithmetic)
AXLOOM_BINARY(MulOp, inferArithmetic)
AXLOOM_BINARY(DivOp, inferArithmetic)
AXLOOM_BINARY(RemOp, inferArithmetic)
AXLOOM_BINARY(MaximumOp, inferArithmetic)
AXLOOM_BINARY(MinimumOp, inferArithmetic)
AXLOOM_BINARY(AndOp, inferBinary)
AXLOOM_BINARY(OrOp, inferBinary)
#undef AXLOOM_BINARY

LogicalResult PowOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                      Types &results) {
  Type element = tensorType(operands.getA()).getElementType();
  if (!llvm::isa<FloatType>(element))
    return fail(location, "power of ") << element << ", expected floating-point numbers";
  return inferBinary(location, operands.getA(), operands.getB(), results);
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                          Adaptor operands, Types &results) {
  if (failed(requireSameElements(location, operands.getA(), "on the left", operands.getB(),
                                 "on the right")))
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
  if (failed(requireSameElements(location, operands.getA(), "on the left", operands.getB(),
                                 "on the right")))
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

/// The numbers of the factors that this many axes have.
static LogicalResult checkNumbers(MaybeLocation location, ArrayRef<int64_t> numbers, size_t axes) {
  if (numbers.size() != axes)
    return fail(location, "there are ")
           << numbers.size() << " numbers of factors for " << axes << " axes";
  for (int64_t number : numbers)
    if (number < 0 || number >= axloom::random::maxRank)
      return fail(location, "the number of a factor is ")
             << number << ", expected 0 to " << axloom::random::maxRank - 1;
  return success();
}

LogicalResult RandomOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  for (Value scalar : {operands.getSeed(), operands.getStep(), operands.getSite()})
    if (!tensorType(scalar).isScalar())
      return fail(location, "seed, step and site of random must be scalars, found ")
             << scalar.getType();
  auto shape = llvm::cast<NamedTensorType>(operands.getShape());
  results.push_back(shape);
  Value counters = operands.getCounters();
  if (bool(counters) != operands.getNumbers().has_value())
    return fail(location, "counters come with the numbers of the other axes' factors");
  if (!counters && shape.rank() > axloom::random::maxRank)
    return fail(location, "random numbers along ")
           << shape.rank() << " axes, expected at most " << axloom::random::maxRank;
  if (!counters)
    return success();
  ArrayRef<Axis> counted = tensorType(counters).getAxes();
  for (const Axis &axis : counted)
    if (!llvm::is_contained(shape.getAxes(), axis))
      return fail(location, "counters have axis '")
             << axis.name.getValue() << "', which the shape lacks or has in another size";
  return checkNumbers(location, *operands.getNumbers(), shape.getAxes().size() - counted.size());
}

SmallVector<std::pair<Axis, int64_t>> RandomOp::numberedAxes() {
  SmallVector<std::pair<Axis, int64_t>> numbered;
  for (auto [index, axis] : llvm::enumerate(tensorType(getY()).getAxes()))
    if (!getCounters())
      numbered.emplace_back(axis, index);
    else if (!tensorType(getCounters()).has(axis.name.getValue()))
      numbered.emplace_back(axis, (*getNumbers())[numbered.size()]);
  return numbered;
}

LogicalResult CountersOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                           Types &results) {
  auto shape = llvm::cast<NamedTensorType>(operands.getShape());
  results.push_back(shape);
  return checkNumbers(location, operands.getNumbers(), shape.getAxes().size());
}
