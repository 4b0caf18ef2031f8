// Rewrites of arithmetic with a constant.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

// x + 0 -> x; 0 + x -> x
static LogicalResult addZero(AddOp op, PatternRewriter &rewriter) {
  if (isKnown(op.getB(), 0.0))
    return replaceBy(rewriter, op, op.getA());
  if (isKnown(op.getA(), 0.0))
    return replaceBy(rewriter, op, op.getB());
  return failure();
}

// x - 0 -> x; 0 - x -> -x
static LogicalResult subZero(SubOp op, PatternRewriter &rewriter) {
  if (isKnown(op.getB(), 0.0))
    return replaceBy(rewriter, op, op.getA());
  if (!isKnown(op.getA(), 0.0) || op.getB().getType() != op.getY().getType() ||
      !llvm::isa<FloatType>(tensorType(op.getY()).getElementType()))
    return failure();
  rewriter.replaceOpWithNewOp<NegOp>(op, op.getB());
  return success();
}

// x * 1 -> x; 1 * x -> x
static LogicalResult mulOne(MulOp op, PatternRewriter &rewriter) {
  if (isKnown(op.getB(), 1.0))
    return replaceBy(rewriter, op, op.getA());
  if (isKnown(op.getA(), 1.0))
    return replaceBy(rewriter, op, op.getB());
  return failure();
}

// x / 1 -> x
static LogicalResult divOne(DivOp op, PatternRewriter &rewriter) {
  return isKnown(op.getB(), 1.0) ? replaceBy(rewriter, op, op.getA()) : failure();
}

/// Whether the product of two such numbers is far from what overflows or vanishes: x * 1e30 * 1e30
/// may be finite, x * (1e30 * 1e30) is not.
static bool isOrdinary(ConstantOp constant) {
  auto number = llvm::dyn_cast<FloatAttr>(constant.getValue());
  double size = number ? std::abs(number.getValueAsDouble()) : 0;
  return number && (size == 0 || (size >= 1e-10 && size <= 1e10));
}

// (x * c) * d -> x * (c * d), for scalar constants c and d
static LogicalResult mulConstants(MulOp op, PatternRewriter &rewriter) {
  auto constant = op.getB().getDefiningOp<ConstantOp>();
  auto inner = op.getA().getDefiningOp<MulOp>();
  auto innerConstant = inner ? inner.getB().getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant || !innerConstant || !isOrdinary(constant) || !isOrdinary(innerConstant))
    return failure();
  Value product = rewriter.createOrFold<MulOp>(op.getLoc(), innerConstant.getY(), constant.getY());
  rewriter.replaceOpWithNewOp<MulOp>(op, inner.getA(), product);
  return success();
}

// select(m, c, d) * e -> select(m, c * e, d * e), for scalar constants c, d and e
static LogicalResult mulSelect(MulOp op, PatternRewriter &rewriter) {
  auto constant = op.getB().getDefiningOp<ConstantOp>();
  auto select = op.getA().getDefiningOp<SelectOp>();
  if (!constant || !select || !select.getA().getDefiningOp<ConstantOp>() ||
      !select.getB().getDefiningOp<ConstantOp>() || !llvm::isa<FloatAttr>(constant.getValue()))
    return failure();
  Value a = rewriter.createOrFold<MulOp>(op.getLoc(), select.getA(), constant.getY());
  Value b = rewriter.createOrFold<MulOp>(op.getLoc(), select.getB(), constant.getY());
  rewriter.replaceOpWithNewOp<SelectOp>(op, select.getMask(), a, b);
  return success();
}

// pow(x, 2) -> x * x; pow(x, 1) -> x; pow(x, 0.5) -> sqrt(x); pow(x, -0.5) -> rsqrt(x); pow(x, -1)
// -> 1 / x
static LogicalResult powConstant(PowOp op, PatternRewriter &rewriter) {
  std::optional<double> exponent = knownNumber(op.getB());
  if (!exponent || op.getA().getType() != op.getY().getType())
    return failure();
  Term x(rewriter, op.getLoc(), op.getA());
  if (*exponent == 1.0)
    rewriter.replaceOp(op, op.getA());
  else if (*exponent == 2.0)
    rewriter.replaceOp(op, (x * x).value);
  else if (*exponent == -1.0)
    rewriter.replaceOp(op, (x.number(1) / x).value);
  else if (*exponent == 0.5)
    rewriter.replaceOpWithNewOp<SqrtOp>(op, op.getA());
  else if (*exponent == -0.5)
    rewriter.replaceOpWithNewOp<RsqrtOp>(op, op.getA());
  else
    return failure();
  return success();
}

// -(-x) -> x
static LogicalResult negNeg(NegOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<NegOp>();
  return inner ? replaceBy(rewriter, op, inner.getX()) : failure();
}

// a + -b -> a - b; -a + b -> b - a
static LogicalResult addNeg(AddOp op, PatternRewriter &rewriter) {
  if (auto b = op.getB().getDefiningOp<NegOp>())
    rewriter.replaceOpWithNewOp<SubOp>(op, op.getA(), b.getX());
  else if (auto a = op.getA().getDefiningOp<NegOp>())
    rewriter.replaceOpWithNewOp<SubOp>(op, op.getB(), a.getX());
  else
    return failure();
  return success();
}

// a - -b -> a + b
static LogicalResult subNeg(SubOp op, PatternRewriter &rewriter) {
  auto b = op.getB().getDefiningOp<NegOp>();
  if (!b)
    return failure();
  rewriter.replaceOpWithNewOp<AddOp>(op, op.getA(), b.getX());
  return success();
}

void axloom::ir::addConstantPatterns(RewritePatternSet &patterns) {
  patterns.add(addZero).add(subZero).add(mulOne).add(divOne).add(mulConstants);
  patterns.add(mulSelect).add(powConstant).add(negNeg).add(addNeg).add(subNeg);
}
