// Type inference and verifiers of the ops that look across positions of an axis or restructure
// axes.

#include "ir/Dialect.h"
#include "ir/Elements.h"
#include "ir/Factors.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace axloom::ir;

using Types = SmallVectorImpl<Type>;

static SmallVector<StringAttr> names(ArrayAttr axes) {
  return llvm::to_vector(axes.getAsRange<StringAttr>());
}

/// Pushes a type after checking what only the type itself can tell (e.g. a ragged axis without its
/// partner).
static LogicalResult push(MaybeLocation location, ArrayRef<Axis> axes, Type elementType,
                          Types &results) {
  llvm::SmallPtrSet<StringAttr, 8> seen;
  for (const Axis &axis : axes) {
    if (!seen.insert(axis.name).second)
      return fail(location, "axis '" + axis.name.getValue() + "' would appear twice in the result");
    if (axis.size().getFactor() > INT32_MAX)
      return fail(location, "axis '" + axis.name.getValue() + "' of the result would have size ")
             << axis.size().str() << ", expected at most " << INT32_MAX;
  }
  if (failed(requirePartners(location, axes)))
    return failure();
  results.push_back(NamedTensorType::get(axes, elementType));
  return success();
}

static LogicalResult requireOnce(MaybeLocation location, ArrayRef<StringAttr> axes) {
  for (auto [index, axis] : llvm::enumerate(axes))
    if (llvm::is_contained(axes.take_front(index), axis))
      return fail(location, "axis '" + axis.getValue() + "' is named twice");
  return success();
}

LogicalResult ContractOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                           Types &results) {
  NamedTensorType a = tensorType(operands.getA()), b = tensorType(operands.getB());
  if (failed(requireSameElements(location, operands.getA(), "on the left", operands.getB(),
                                 "on the right")))
    return failure();
  SmallVector<StringAttr> over = names(operands.getOver());
  for (StringAttr axis : over)
    if (failed(requireAxis(location, axis.getValue(), a, "left operand")) ||
        failed(requireAxis(location, axis.getValue(), b, "right operand")))
      return failure();
  if (failed(requireOnce(location, over)))
    return failure();
  FailureOr<SmallVector<Axis>> axes = unionOf(location, {a, b}, {"on the left", "on the right"});
  if (failed(axes))
    return failure();
  llvm::erase_if(*axes, [&](const Axis &axis) { return llvm::is_contained(over, axis.name); });
  return push(location, *axes, a.getElementType(), results);
}

LogicalResult ContractOp::verify() { return verifyFactors(*this, getFactors()); }

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  SmallVector<StringAttr> over = names(operands.getOver());
  for (StringAttr axis : over)
    if (failed(requireAxis(location, axis.getValue(), x, "operand")))
      return failure();
  if (failed(requireOnce(location, over)))
    return failure();
  SmallVector<Axis> axes(x.getAxes());
  llvm::erase_if(axes, [&](const Axis &axis) { return llvm::is_contained(over, axis.name); });
  return push(location, axes, x.getElementType(), results);
}

LogicalResult ReduceOp::verify() {
  if (llvm::is_contained({"sum", "max", "min"}, getKind()))
    return success();
  return emitOpError("kind is '") << getKind() << "', expected sum, max or min";
}

LogicalResult ArgmaxOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                         Adaptor operands, Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  if (failed(requireAxis(location, operands.getAxis(), x, "operand")))
    return failure();
  SmallVector<Axis> axes(x.getAxes());
  llvm::erase_if(axes, [&](const Axis &axis) { return axis.name == operands.getAxisAttr(); });
  return push(location, axes, IntegerType::get(context, 32), results);
}

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                            Types &results) {
  auto shape = llvm::cast<NamedTensorType>(operands.getShape());
  if (failed(requireWithin(location, tensorType(operands.getX()), "operand", shape,
                           "broadcast shape")))
    return failure();
  results.push_back(shape.withElementType(tensorType(operands.getX()).getElementType()));
  return success();
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  NamedTensorType table = tensorType(operands.getTable()),
                  indices = tensorType(operands.getIndices());
  if (failed(requireAxis(location, operands.getAxis(), table, "table")) ||
      failed(requireNoAxis(location, operands.getAxis(), indices, "index tensor")))
    return failure();
  FailureOr<NamedTensorType> rows = dropAxes(location, table, operands.getAxisAttr());
  if (failed(rows))
    return failure();
  FailureOr<SmallVector<Axis>> axes =
      unionOf(location, {*rows, indices}, {"in the table", "in the indices"});
  if (failed(axes))
    return failure();
  return push(location, *axes, table.getElementType(), results);
}

LogicalResult ScatterAddOp::inferReturnTypes(MLIRContext *, MaybeLocation location,
                                             Adaptor operands, Types &results) {
  NamedTensorType x = tensorType(operands.getX()), indices = tensorType(operands.getIndices());
  auto shape = llvm::cast<NamedTensorType>(operands.getShape());
  if (failed(requireAxis(location, operands.getAxis(), shape, "target shape")) ||
      failed(requireNoAxis(location, operands.getAxis(), x, "operand")) ||
      failed(requireWithin(location, indices, "indices", x, "operand")))
    return failure();
  FailureOr<NamedTensorType> row = dropAxes(location, shape, operands.getAxisAttr());
  if (failed(row) || failed(requireWithin(location, *row, "target shape", x, "operand")))
    return failure();
  results.push_back(shape.withElementType(x.getElementType()));
  return success();
}

LogicalResult RenameOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  FailureOr<SizeAttr> size = requireAxis(location, operands.getFrom(), x, "operand");
  if (failed(size) || (operands.getTo() != operands.getFrom() &&
                       failed(requireNoAxis(location, operands.getTo(), x, "operand"))))
    return failure();
  SmallVector<Axis> axes;
  for (const Axis &axis : x.getAxes()) {
    StringAttr name = axis.name == operands.getFromAttr() ? operands.getToAttr() : axis.name;
    SizeAttr axisSize = axis.size();
    if (axisSize.getRaggedOver() == operands.getFromAttr()) // the partner got a new name
      axisSize = SizeAttr::get(axisSize.getContext(), axisSize.getFactor(), axisSize.getSymbols(),
                               operands.getToAttr());
    axes.emplace_back(name, axisSize);
  }
  return push(location, axes, x.getElementType(), results);
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                        Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  SmallVector<StringAttr> into = names(operands.getInto());
  if (into.size() != 2)
    return fail(location, "split makes two axes, found ") << into.size();
  FailureOr<SizeAttr> size = requireAxis(location, operands.getAxis(), x, "operand");
  if (failed(size))
    return failure();
  SizeAttr outer = size->dividedBy(operands.getInner());
  if (!outer)
    return fail(location, "axis '" + operands.getAxis() + "' of size " + size->str() +
                              " cannot be split into parts of " + operands.getInner().str());
  SmallVector<Axis> axes(x.getAxes());
  llvm::erase_if(axes, [&](const Axis &axis) { return axis.name == operands.getAxisAttr(); });
  axes.emplace_back(into[0], outer);
  axes.emplace_back(into[1], operands.getInner());
  return push(location, axes, x.getElementType(), results);
}

LogicalResult MergeOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                        Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  SmallVector<StringAttr> merged = names(operands.getAxes());
  if (merged.size() != 2)
    return fail(location, "merge takes two axes, found ") << merged.size();
  if (failed(requireOnce(location, merged)))
    return failure();
  FailureOr<SizeAttr> outer = requireAxis(location, merged[0].getValue(), x, "operand");
  FailureOr<SizeAttr> inner = requireAxis(location, merged[1].getValue(), x, "operand");
  if (failed(outer) || failed(inner))
    return failure();
  if (outer->isRagged() || inner->isRagged() || outer->isUnknown() || inner->isUnknown())
    return fail(location,
                "axes of sizes " + outer->str() + " and " + inner->str() + " cannot be merged");
  SmallVector<Axis> axes(x.getAxes());
  llvm::erase_if(axes, [&](const Axis &axis) { return llvm::is_contained(merged, axis.name); });
  axes.emplace_back(operands.getIntoAttr(), outer->times(*inner));
  return push(location, axes, x.getElementType(), results);
}

/// Replaces the size of one axis, which must be fixed.
static LogicalResult resize(MaybeLocation location, NamedTensorType x, StringAttr name,
                            llvm::function_ref<FailureOr<int64_t>(int64_t)> newExtent,
                            Types &results) {
  FailureOr<SizeAttr> size = requireAxis(location, name.getValue(), x, "operand");
  if (failed(size))
    return failure();
  if (!size->isFixed())
    return fail(location, "axis '" + name.getValue() + "' has size " + size->str() +
                              ", expected a fixed number");
  FailureOr<int64_t> extent = newExtent(size->getFactor());
  if (failed(extent))
    return failure();
  SmallVector<Axis> axes(x.getAxes());
  for (Axis &axis : axes)
    if (axis.name == name)
      axis.sizeAttr = SizeAttr::fixed(name.getContext(), *extent);
  return push(location, axes, x.getElementType(), results);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                        Types &results) {
  int64_t start = operands.getStart(), size = operands.getSize();
  auto sliced = [&](int64_t extent) -> FailureOr<int64_t> {
    if (size < 1)
      fail(location, "slice of ") << size << " elements, expected one at least";
    else if (start < 0 || size > extent || start > extent - size)
      fail(location, "slice of ") << size << " elements from " << start << " leaves axis '"
                                  << operands.getAxis() << "' of size " << extent;
    else
      return size;
    return failure();
  };
  return resize(location, tensorType(operands.getX()), operands.getAxisAttr(), sliced, results);
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                         Adaptor operands, Types &results) {
  if (operands.getXs().empty())
    return fail(location, "concat needs at least one tensor");
  NamedTensorType first = tensorType(operands.getXs()[0]);
  int64_t extent = 0;
  for (Value x : operands.getXs()) {
    NamedTensorType type = tensorType(x);
    FailureOr<SizeAttr> size = requireAxis(location, operands.getAxis(), type, "operand");
    if (failed(size))
      return failure();
    if (!size->isFixed())
      return fail(location, "axis '" + operands.getAxis() + "' has size " + size->str() +
                                ", expected a fixed number");
    if (type.without({operands.getAxisAttr()}) != first.without({operands.getAxisAttr()}))
      return fail(location, "tensors that are put one behind the other differ beside axis '" +
                                operands.getAxis() + "': ")
             << first << " and " << type;
    extent += size->getFactor();
  }
  SmallVector<Axis> axes(first.without({operands.getAxisAttr()}).getAxes());
  axes.emplace_back(operands.getAxisAttr(), SizeAttr::fixed(context, extent));
  return push(location, axes, first.getElementType(), results);
}

/// Fails where no element of x can be the number that stands where x has none.
static LogicalResult requireFill(MaybeLocation location, NamedTensorType x, double value) {
  if (hasNumber(x.getElementType(), value))
    return success();
  return fail(location, "the value is ")
         << value << ", expected a finite number that " << x.getElementType() << " has";
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                      Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  if (failed(requireFill(location, x, operands.getValue().convertToDouble())))
    return failure();
  int64_t low = operands.getLow(), high = operands.getHigh();
  auto padded = [&](int64_t extent) -> FailureOr<int64_t> {
    int64_t sum = 0;
    if (low < 0 || high < 0)
      fail(location, "pad by ") << low << " and " << high << ", expected no negative number";
    else if (llvm::AddOverflow(extent, low, sum) || llvm::AddOverflow(sum, high, sum) ||
             sum > INT32_MAX)
      fail(location, "pad by ") << low << " and " << high << " makes axis '" << operands.getAxis()
                                << "' of size " << extent << " longer than " << INT32_MAX;
    else
      return sum;
    return failure();
  };
  return resize(location, x, operands.getAxisAttr(), padded, results);
}

LogicalResult ShiftOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                        Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  if (failed(requireAxis(location, operands.getAxis(), x, "operand")) ||
      failed(requireFill(location, x, operands.getValue().convertToDouble())))
    return failure();
  int64_t by = operands.getBy();
  if (by < -INT32_MAX || by > INT32_MAX)
    return fail(location, "shift by ") << by << ", expected at most " << INT32_MAX << " places";
  results.push_back(x);
  return success();
}

LogicalResult UpdateOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                         Types &results) {
  NamedTensorType x = tensorType(operands.getX()), value = tensorType(operands.getValue());
  if (failed(requireAxis(location, operands.getAxis(), x, "updated tensor")) ||
      failed(requireNoAxis(location, operands.getAxis(), value, "new value")))
    return failure();
  if (failed(requireSameElements(location, operands.getX(), "in the updated tensor",
                                 operands.getValue(), "in the new value")))
    return failure();
  FailureOr<NamedTensorType> slice = dropAxes(location, x, operands.getAxisAttr());
  if (failed(slice) ||
      failed(requireWithin(location, tensorType(operands.getIndex()), "index", *slice,
                           "updated tensor")) ||
      failed(requireWithin(location, value, "new value", *slice, "updated tensor")) ||
      failed(requireWithin(location, *slice, "updated tensor", value, "new value")))
    return failure();
  results.push_back(x);
  return success();
}

/// The axis that a size is ragged over, if it is.
static SmallVector<Axis> partnerOf(SizeAttr size, std::optional<SizeAttr> entries) {
  if (!size.isRagged() || !entries)
    return {};
  return {Axis(size.getRaggedOver(), *entries)};
}

LogicalResult IotaOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                       Adaptor operands, Types &results) {
  SmallVector<Axis> axes = partnerOf(operands.getSize(), operands.getEntries());
  axes.emplace_back(operands.getAxisAttr(), operands.getSize());
  return push(location, axes, IntegerType::get(context, 32), results);
}

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                           Types &results) {
  if (!llvm::isa<FloatAttr, IntegerAttr>(operands.getValue()))
    return fail(location, "constant: value is ")
           << operands.getValue() << ", expected a number or a truth value";
  auto reject = [&] { return fail(location, "constant: "); };
  Type type = operands.getValue().getType();
  if (failed(NamedTensorType::verify(reject, {}, type)))
    return failure();
  results.push_back(NamedTensorType::get({}, type));
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult SizeOfOp::inferReturnTypes(MLIRContext *context, MaybeLocation location,
                                         Adaptor operands, Types &results) {
  SmallVector<Axis> axes = partnerOf(operands.getSize(), operands.getEntries());
  if (axes.empty() && operands.getSize().isRagged())
    return fail(location, "size " + operands.getSize().str() +
                              " has a value for each entry; how many there are is missing");
  if (operands.getSize().isUnknown())
    return fail(location, "the size is not known; name it");
  Type element = operands.getTo().value_or(Float32Type::get(context));
  if (element.isInteger(1))
    return fail(location, "a size is no truth value; make it a number");
  return push(location, axes, element, results);
}
