// Rewrites of ops that rename, restructure or cut axes: what one does and the next undoes.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

// rename(rename(x, a, b), b, c) -> rename(x, a, c); rename(x, a, a) -> x
static LogicalResult mergeRenames(RenameOp op, PatternRewriter &rewriter) {
  if (op.getFrom() == op.getTo())
    return replaceBy(rewriter, op, op.getX());
  auto inner = op.getX().getDefiningOp<RenameOp>();
  if (!inner || inner.getTo() != op.getFrom())
    return failure();
  if (inner.getFrom() == op.getTo())
    return replaceBy(rewriter, op, inner.getX());
  rewriter.replaceOpWithNewOp<RenameOp>(op, inner.getX(), inner.getFrom(), op.getTo());
  return success();
}

// merge(split(x, a into [b, c]), [b, c] into a) -> x
static LogicalResult mergeSplit(MergeOp op, PatternRewriter &rewriter) {
  auto split = op.getX().getDefiningOp<SplitOp>();
  if (!split || split.getInto() != op.getAxes() || split.getAxis() != op.getInto())
    return failure();
  return replaceBy(rewriter, op, split.getX());
}

// split(merge(x, [b, c] into a), a into [b, c]) -> x, where both parts have their sizes back
static LogicalResult splitMerge(SplitOp op, PatternRewriter &rewriter) {
  auto merge = op.getX().getDefiningOp<MergeOp>();
  if (!merge || merge.getAxes() != op.getInto() || merge.getInto() != op.getAxis())
    return failure();
  return replaceBy(rewriter, op, merge.getX());
}

// slice(pad(x)) -> x, where it cuts off just what was added; a slice of everything -> x
static LogicalResult slicePad(SliceOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() == op.getY().getType())
    return replaceBy(rewriter, op, op.getX());
  auto pad = op.getX().getDefiningOp<PadOp>();
  if (!pad || pad.getAxis() != op.getAxis() || pad.getLow() != op.getStart())
    return failure();
  return replaceBy(rewriter, op, pad.getX());
}

// pad by nothing -> x
static LogicalResult padNothing(PadOp op, PatternRewriter &rewriter) {
  return op.getLow() == 0 && op.getHigh() == 0 ? replaceBy(rewriter, op, op.getX()) : failure();
}

// add(pad(x), pad(y)) -> pad(concat(x, y)), where each lies in the other's zeros and y follows x
static LogicalResult mergePads(AddOp op, PatternRewriter &rewriter) {
  auto first = op->getOperand(0).getDefiningOp<PadOp>();
  auto second = op->getOperand(1).getDefiningOp<PadOp>();
  if (!first || !second || first.getAxis() != second.getAxis() ||
      first.getY().getType() != second.getY().getType() || !first.getValue().isZero() ||
      !second.getValue().isZero())
    return failure();
  if (first.getLow() > second.getLow())
    std::swap(first, second);
  int64_t extent = tensorType(first.getX()).sizeOf(first.getAxis()).getFactor();
  if (first.getLow() + extent != second.getLow())
    return failure();
  Value both = ConcatOp::create(rewriter, op.getLoc(), ValueRange{first.getX(), second.getX()},
                                first.getAxis());
  rewriter.replaceOpWithNewOp<PadOp>(op, both, first.getAxis(), first.getLow(), second.getHigh(),
                                     first.getValue());
  return success();
}

// shift by nothing -> x
static LogicalResult shiftNothing(ShiftOp op, PatternRewriter &rewriter) {
  return int64_t(op.getBy()) == 0 ? replaceBy(rewriter, op, op.getX()) : failure();
}

// cast to the same type -> x; cast of a constant -> a constant of the other type, if that
// has such a number
static LogicalResult castNothing(CastOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() == op.getY().getType())
    return replaceBy(rewriter, op, op.getX());
  auto constant = op.getX().getDefiningOp<ConstantOp>();
  auto element = llvm::dyn_cast<FloatType>(op.getTo());
  std::optional<double> number = constant ? knownNumber(op.getX()) : std::nullopt;
  if (!number || !element)
    return failure();
  FloatAttr rounded = rewriter.getFloatAttr(element, *number);
  if (!rounded.getValue().isFinite())
    return failure();
  rewriter.replaceOpWithNewOp<ConstantOp>(op, rounded);
  return success();
}

void axloom::ir::addAxesPatterns(RewritePatternSet &patterns) {
  patterns.add(mergeRenames)
      .add(mergeSplit)
      .add(splitMerge)
      .add(slicePad)
      .add(padNothing)
      .add(mergePads);
  patterns.add(shiftNothing).add(castNothing);
}
