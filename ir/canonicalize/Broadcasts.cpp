// Rewrites that spare repeating a tensor along axes, and sums over nothing.

#include "ir/Dialect.h"

#include <cmath>

using namespace mlir;
using namespace axloom::ir;

namespace {
/// add(broadcast(x), y) -> add(x, y), where y has the axes that x lacks: pointwise ops broadcast by
/// name themselves.
struct DropBroadcastOperand : OpTraitRewritePattern<Pointwise> {
  using OpTraitRewritePattern::OpTraitRewritePattern;

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    for (OpOperand &operand : op->getOpOperands()) {
      auto broadcast = operand.get().getDefiningOp<BroadcastOp>();
      if (!broadcast || !isWholeWithout(op, operand, tensorType(broadcast.getX())))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(broadcast.getX()); });
      return success();
    }
    return failure();
  }

  /// Whether the operands have all axes of the result if `operand` has only those of `smaller`.
  static bool isWholeWithout(Operation *op, OpOperand &operand, NamedTensorType smaller) {
    return llvm::all_of(tensorType(op->getResult(0)).getAxes(), [&](const Axis &axis) {
      return smaller.has(axis.name.getValue()) ||
             llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
               return &other != &operand && tensorType(other.get()).has(axis.name.getValue());
             });
    });
  }
};
} // namespace

// broadcast x to its own type -> x; broadcast(broadcast(x)) -> broadcast(x)
static LogicalResult mergeBroadcasts(BroadcastOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() == op.getY().getType()) {
    rewriter.replaceOp(op, op.getX());
    return success();
  }
  auto inner = op.getX().getDefiningOp<BroadcastOp>();
  if (!inner)
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getXMutable().assign(inner.getX()); });
  return success();
}

// reduce over no axes -> x
static LogicalResult reduceNothing(ReduceOp op, PatternRewriter &rewriter) {
  if (!op.getOver().empty())
    return failure();
  rewriter.replaceOp(op, op.getX());
  return success();
}

/// Whether the extent of an axis is one number: it is not ragged, nor is another axis over it.
static bool hasOneExtent(NamedTensorType type, StringAttr name) {
  return llvm::none_of(type.getAxes(), [&](const Axis &axis) {
    return axis.size().getRaggedOver() == name || (axis.name == name && axis.size().isRagged());
  });
}

/// A sum over an axis of `repeated` that was computed from x as a product: 0 where the axis has no
/// elements, for infinity times nothing is nothing.
static Term unlessEmpty(Term sum, Term x, Term repeated, StringRef axis) {
  std::optional<double> number = knownNumber(x.value);
  bool hasElements = repeated.type().sizeOf(axis).isFixed();
  if (hasElements || (number && std::isfinite(*number)))
    return sum;
  Term count = extent(repeated, axis);
  return select(compare("gt", count, count.number(0)), sum, sum.number(0));
}

/// x, summed as often as an axis of `repeated` repeats it.
static Term timesExtent(Term x, Term repeated, StringRef axis) {
  return unlessEmpty(x * extent(repeated, axis), x, repeated, axis);
}

// sum over an axis that was only repeated -> times its size; max, min -> the same, if there is one
// element at least
static LogicalResult reduceBroadcast(ReduceOp op, PatternRewriter &rewriter) {
  auto broadcast = op.getX().getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return failure();
  NamedTensorType x = tensorType(broadcast.getX());
  SmallVector<Attribute> rest;
  Term result(rewriter, op.getLoc(), broadcast.getX());
  for (auto axis : op.getOver().getAsRange<StringAttr>()) {
    bool sums = op.getKind() == "sum",
         hasElements = tensorType(op.getX()).sizeOf(axis.getValue()).isFixed();
    if (x.has(axis) || !hasOneExtent(tensorType(op.getX()), axis) || (!sums && !hasElements))
      rest.push_back(axis);
    else if (sums)
      result = timesExtent(result, result.at(op.getX()), axis.getValue());
  }
  if (rest.size() == op.getOver().size())
    return failure();
  NamedTensorType shape = tensorType(op.getX());
  for (auto axis : op.getOver().getAsRange<StringAttr>())
    if (!llvm::is_contained(rest, axis))
      shape = shape.without({axis});
  Value repeated = rewriter.createOrFold<BroadcastOp>(op.getLoc(), result.value, shape);
  rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getKind(), repeated, rewriter.getArrayAttr(rest));
  return success();
}

// contract(x repeated along p, y): p neither summed nor in y -> contract(x, y) repeated along p; p
// summed -> contract(x, sum of y over p): each product is computed once, as in the gradient of a
// mean. Sums of bf16 would be rounded in between.
static LogicalResult contractBroadcast(ContractOp op, PatternRewriter &rewriter) {
  for (auto [repeated, other] :
       {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
    auto broadcast = repeated.getDefiningOp<BroadcastOp>();
    if (!broadcast || op.getFactors() || tensorType(other).getElementType().isBF16())
      continue;
    SmallVector<StringAttr> over, summed, dropped;
    for (auto axis : op.getOver().getAsRange<StringAttr>())
      over.push_back(axis);
    NamedTensorType wide = tensorType(repeated), with = tensorType(other);
    for (const Axis &axis : wide.getAxes()) {
      bool isSummed = llvm::is_contained(over, axis.name);
      if (tensorType(broadcast.getX()).has(axis.name) || isSummed != with.has(axis.name) ||
          !hasOneExtent(wide, axis.name) || !hasOneExtent(with, axis.name))
        continue;
      dropped.push_back(axis.name);
      if (isSummed)
        summed.push_back(axis.name);
    }
    if (dropped.empty())
      continue;
    llvm::erase_if(over, [&](StringAttr axis) { return llvm::is_contained(summed, axis); });
    Term whole(rewriter, op.getLoc(), repeated);
    Term x = whole.at(
        rewriter.createOrFold<BroadcastOp>(op.getLoc(), broadcast.getX(), wide.without(dropped)));
    Term y = contract(x, sum(whole.at(other), summed), over);
    for (StringAttr axis : summed)
      y = unlessEmpty(y, x, whole, axis.getValue());
    rewriter.replaceOp(op, rewriter.createOrFold<BroadcastOp>(op.getLoc(), y.value, op.getType()));
    return success();
  }
  return failure();
}

// contract over no axes -> mul
static LogicalResult contractNothing(ContractOp op, PatternRewriter &rewriter) {
  if (!op.getOver().empty() || op.getFactors())
    return failure();
  rewriter.replaceOpWithNewOp<MulOp>(op, op.getA(), op.getB());
  return success();
}

void axloom::ir::addBroadcastPatterns(RewritePatternSet &patterns) {
  patterns.add<DropBroadcastOperand>(patterns.getContext());
  patterns.add(mergeBroadcasts).add(reduceNothing).add(reduceBroadcast).add(contractNothing);
  patterns.add(contractBroadcast);
}
