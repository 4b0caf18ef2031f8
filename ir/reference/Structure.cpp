// What the ops mean that look across positions of an axis or restructure axes.

#include "ir/reference/Evaluation.h"

#include <limits>

using namespace mlir;

namespace axloom::ir::reference {
static SmallVector<StringRef> names(ArrayAttr axes) {
  return llvm::to_vector(axes.getAsValueRange<StringAttr>());
}

static LogicalResult compute(ContractOp op, Evaluation &e) {
  const Array &a = e.operand(op.getA()), &b = e.operand(op.getB());
  Space all = e.unionOf({&a, &b});
  Array roundedA = factorsOf(a, op.getFactors()), roundedB = factorsOf(b, op.getFactors());
  Read left(roundedA, all), right(roundedB, all);
  Write to(e.result(), all);
  all.forEach([&](Point p) { to[p] += left[p] * right[p]; });
  return success();
}

static LogicalResult compute(ReduceOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Read from(x, x.space);
  Write to(e.result(), x.space);
  if (op.getKind() == "sum") {
    x.space.forEach([&](Point p) { to[p] += from[p]; });
    return success();
  }
  double sign = op.getKind() == "max" ? 1 : -1;
  double largest =
      llvm::APFloat::getLargest(
          llvm::cast<FloatType>(tensorType(op.getY()).getElementType()).getFloatSemantics())
          .convertToDouble();
  e.result().space.forEach(
      [&, y = Write(e.result(), e.result().space)](Point p) { y[p] = -sign * largest; });
  x.space.forEach([&](Point p) { to[p] = sign * std::max(sign * to[p], sign * from[p]); });
  return success();
}

static LogicalResult compute(ArgmaxOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Array best(e.result().space);
  llvm::fill(best.values, -std::numeric_limits<double>::infinity());
  Read from(x, x.space);
  Write largest(best, x.space), index(e.result(), x.space);
  int64_t axis = x.space.position(op.getAxis());
  x.space.forEach([&](Point p) {
    if (from[p] <= largest[p])
      return;
    largest[p] = from[p];
    index[p] = p[axis];
  });
  return success();
}

static LogicalResult compute(BroadcastOp op, Evaluation &e) {
  Array &y = e.result();
  Read from(e.operand(op.getX()), y.space);
  Write to(y, y.space);
  y.space.forEach([&](Point p) { to[p] = from[p]; });
  return success();
}

/// Fails where an index that the program computed leaves its axis of `indexed`, which may end
/// earlier for some entries. `walked`: the points that the op has an index for each of.
static LogicalResult checkIndices(Operation *op, const Array &indices, StringRef axis,
                                  const Space &indexed, const Space &walked) {
  LogicalResult result = success();
  int64_t along = indexed.position(axis), extent = indexed.extents()[along];
  bool isRagged = indexed.axes()[along].size().isRagged();
  const Space &space = isRagged ? walked : indices.space;
  SmallVector<int64_t> positions, place(indexed.axes().size());
  for (const Axis &own : indexed.axes())
    positions.push_back(space.position(own.name));
  Read index(indices, space);
  space.forEach([&](Point p) {
    for (auto [position, own] : llvm::zip_equal(positions, place))
      own = position < 0 ? 0 : p[position];
    place[along] = int64_t(index[p]);
    bool isInside = place[along] >= 0 && place[along] < extent;
    if (succeeded(result) && (!isInside || (isRagged && !indexed.contains(place))))
      result = op->emitError("index ")
               << place[along] << " is outside axis '" << axis << "' of size " << extent
               << (isInside ? " at most, which ends earlier there" : "");
  });
  return result;
}

static LogicalResult compute(GatherOp op, Evaluation &e) {
  const Array &table = e.operand(op.getTable()), &indices = e.operand(op.getIndices());
  Array &y = e.result();
  if (failed(checkIndices(op, indices, op.getAxis(), table.space, y.space)))
    return failure();
  Read rows(table, y.space), index(indices, y.space);
  Write to(y, y.space);
  y.space.forEach([&](Point p) { to[p] = rows.at(p, op.getAxis(), index[p]); });
  return success();
}

static LogicalResult compute(ScatterAddOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX()), &indices = e.operand(op.getIndices());
  Array &y = e.result();
  if (failed(checkIndices(op, indices, op.getAxis(), y.space, x.space)))
    return failure();
  Read from(x, x.space), index(indices, x.space);
  Write rows(y, x.space);
  x.space.forEach([&](Point p) { rows.at(p, op.getAxis(), index[p]) += from[p]; });
  return success();
}

static LogicalResult compute(RenameOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Array &y = e.result();
  Read from(x, y.space);
  Write to(y, y.space);
  from.along(op.getTo(), x.stride(op.getFrom()));
  y.space.forEach([&](Point p) { to[p] = from[p]; });
  return success();
}

static LogicalResult compute(SplitOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Array &y = e.result();
  SmallVector<StringRef> into = names(op.getInto());
  int64_t stride = x.stride(op.getAxis());
  Read from(x, y.space);
  Write to(y, y.space);
  from.along(into[0], stride * e.sizes().extent(op.getInner())).along(into[1], stride);
  y.space.forEach([&](Point p) { to[p] = from[p]; });
  return success();
}

static LogicalResult compute(MergeOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Array &y = e.result();
  SmallVector<StringRef> axes = names(op.getAxes());
  int64_t stride = y.stride(op.getInto());
  int64_t inner = x.space.extents()[x.space.position(axes[1])];
  Read from(x, x.space);
  Write to(y, x.space);
  to.along(axes[0], stride * inner).along(axes[1], stride);
  x.space.forEach([&](Point p) { to[p] = from[p]; });
  return success();
}

static LogicalResult compute(SliceOp op, Evaluation &e) {
  Array &y = e.result();
  Read from(e.operand(op.getX()), y.space);
  Write to(y, y.space);
  y.space.forEach([&](Point p) { to[p] = from.at(p, op.getAxis(), op.getStart()); });
  return success();
}

static LogicalResult compute(ConcatOp op, Evaluation &e) {
  Array &y = e.result();
  int64_t start = 0;
  for (Value value : op.getXs()) {
    const Array &x = e.operand(value);
    Read from(x, x.space);
    Write to(y, x.space);
    x.space.forEach([&](Point p) { to.at(p, op.getAxis(), start) = from[p]; });
    start += tensorType(value).sizeOf(op.getAxis()).getFactor();
  }
  return success();
}

static LogicalResult compute(PadOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Array &y = e.result();
  y.space.forEach(
      [&, all = Write(y, y.space)](Point p) { all[p] = op.getValue().convertToDouble(); });
  Read from(x, x.space);
  Write to(y, x.space);
  x.space.forEach([&](Point p) { to.at(p, op.getAxis(), op.getLow()) = from[p]; });
  return success();
}

static LogicalResult compute(ShiftOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX());
  Array &y = e.result();
  Read from(x, x.space);
  Write to(y, y.space);
  int64_t axis = x.space.position(op.getAxis()), by = op.getBy();
  y.space.forEach([&](Point p) {
    SmallVector<int64_t> source(p);
    source[axis] -= by;
    bool inside =
        source[axis] >= 0 && source[axis] < x.space.extents()[axis] && x.space.contains(source);
    to[p] = inside ? from[source] : op.getValue().convertToDouble();
  });
  return success();
}

static LogicalResult compute(UpdateOp op, Evaluation &e) {
  const Array &x = e.operand(op.getX()), &indices = e.operand(op.getIndex());
  const Array &value = e.operand(op.getValue());
  if (failed(checkIndices(op, indices, op.getAxis(), x.space, value.space)))
    return failure();
  Array &y = e.result();
  y.values = x.values;
  Read from(value, value.space), index(indices, value.space);
  Write to(y, value.space);
  value.space.forEach([&](Point p) { to.at(p, op.getAxis(), index[p]) = from[p]; });
  return success();
}

static LogicalResult compute(IotaOp op, Evaluation &e) {
  Array &y = e.result();
  Write to(y, y.space);
  int64_t axis = y.space.position(op.getAxis());
  y.space.forEach([&](Point p) { to[p] = p[axis]; });
  return success();
}

static LogicalResult compute(ConstantOp op, Evaluation &e) {
  if (auto number = llvm::dyn_cast<FloatAttr>(op.getValue()))
    e.result().values[0] = number.getValueAsDouble();
  else if (auto integer = llvm::cast<IntegerAttr>(op.getValue()); integer.getType().isInteger(1))
    e.result().values[0] = double(integer.getValue().getZExtValue());
  else
    e.result().values[0] = double(integer.getValue().getSExtValue());
  return success();
}

static LogicalResult compute(SizeOfOp op, Evaluation &e) {
  SizeAttr size = op.getSize();
  std::vector<double> &values = e.result().values;
  if (!size.isRagged()) {
    values[0] = e.sizes().extent(size);
    return success();
  }
  llvm::fill(values, double(size.getFactor()));
  for (StringAttr symbol : size.getSymbols()) {
    auto known = e.sizes().lengths.find(symbol.str());
    if (known == e.sizes().lengths.end())
      return op.emitError("ragged size ")
             << size.str() << " has no lengths for '" << symbol.getValue() << "'";
    if (known->second.size() != values.size())
      return op.emitError("ragged size ") << size.str() << " has " << known->second.size()
                                          << " lengths, expected " << values.size();
    for (auto [value, length] : llvm::zip_equal(values, known->second))
      value *= double(length);
  }
  return success();
}

void attachStructure(MLIRContext *context) {
  attach<ContractOp, ReduceOp, ArgmaxOp, BroadcastOp, GatherOp, ScatterAddOp>(context);
  attach<RenameOp, SplitOp, MergeOp, SliceOp, ConcatOp, PadOp, ShiftOp, UpdateOp>(context);
  attach<IotaOp, ConstantOp, SizeOfOp>(context);
}
} // namespace axloom::ir::reference
