#include "ir/canonicalize/Fold.h"

#include "ir/Dialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace axloom::ir;

/// A float constant of the type, rounded; null where it would not be finite, since kernels may
/// assume finite numbers.
static Attribute rounded(Type type, double number) {
  return std::isfinite(number) ? FloatAttr::get(type, number) : Attribute();
}

OpFoldResult fold::constant(Attribute x, llvm::function_ref<double(double)> formula) {
  auto number = llvm::dyn_cast_if_present<FloatAttr>(x);
  if (!number)
    return {};
  return rounded(number.getType(), formula(number.getValueAsDouble()));
}

OpFoldResult fold::constant(Attribute a, Attribute b,
                            llvm::function_ref<double(double, double)> formula) {
  auto left = llvm::dyn_cast_if_present<FloatAttr>(a),
       right = llvm::dyn_cast_if_present<FloatAttr>(b);
  if (!left || !right)
    return {};
  return rounded(left.getType(), formula(left.getValueAsDouble(), right.getValueAsDouble()));
}

/// The constant that a scalar folds to, without changing the graph.
static Attribute knownConstant(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || !tensorType(value).isScalar() || op->getNumResults() != 1)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(knownConstant(operand));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return {};
  return llvm::dyn_cast_if_present<Attribute>(results.front());
}

std::optional<double> axloom::ir::knownNumber(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  Attribute constant = knownConstant(value);
  if (auto number = llvm::dyn_cast_if_present<FloatAttr>(constant))
    return number.getValueAsDouble();
  if (auto number = llvm::dyn_cast_if_present<IntegerAttr>(constant))
    return number.getInt();
  return std::nullopt;
}

OpFoldResult SizeOfOp::fold(FoldAdaptor) {
  if (!getSize().isFixed())
    return {};
  return FloatAttr::get(tensorType(getY()).getElementType(), double(getSize().getFactor()));
}

Operation *AxloomDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                              Location location) {
  auto typed = llvm::dyn_cast<TypedAttr>(value);
  auto tensor = llvm::dyn_cast<NamedTensorType>(type);
  if (!typed || !tensor || !tensor.isScalar() || tensor.getElementType() != typed.getType())
    return nullptr;
  return ConstantOp::create(builder, location, typed);
}

void AxloomDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  addAxesPatterns(patterns);
  addBroadcastPatterns(patterns);
  addConstantPatterns(patterns);
}
