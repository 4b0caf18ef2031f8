#include "ir/canonicalize/Fold.h"

#include "ir/Differentiated.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace axloom::ir;

/// A constant of a floating-point type, rounded; null where it would not be finite, since kernels
/// may assume finite numbers.
static Attribute rounded(Type type, double number) {
  auto attribute = FloatAttr::get(type, number);
  return attribute.getValue().isFinite() ? attribute : Attribute();
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

namespace {
/// Finds the constant that a scalar, perhaps repeated, folds to. Scalars that it is computed from
/// are met once each, and not more than a few of them: others are no constants, most likely.
class KnownConstant {
public:
  explicit KnownConstant(Value value) {
    while (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
      repeated.push_back(value);
      value = broadcast.getX();
    }
    constant = of(value);
  }

  std::optional<double> number() const {
    if (auto number = llvm::dyn_cast_if_present<FloatAttr>(constant))
      return number.getValueAsDouble();
    if (auto number = llvm::dyn_cast_if_present<IntegerAttr>(constant))
      return number.getType().isInteger(1) ? number.getValue().getZExtValue() : number.getInt();
    return std::nullopt;
  }

  /// Whether a gradient is asked for of something on the way. Looks through all users, which
  /// constants have many of.
  bool isDifferentiated() const {
    auto isAsked = [](Value value) { return axloom::ir::isDifferentiated(value); };
    return llvm::any_of(repeated, isAsked) || llvm::any_of(llvm::make_first_range(known), isAsked);
  }

private:
  static constexpr unsigned mostScalars = 64;

  Attribute of(Value value) {
    if (auto met = known.find(value); met != known.end())
      return met->second;
    if (known.size() == mostScalars)
      return {};
    known[value] = {};
    return known[value] = find(value);
  }

  Attribute find(Value value) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant;
    Operation *op = value.getDefiningOp();
    if (!op || !tensorType(value).isScalar() || op->getNumResults() != 1)
      return {};
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(of(operand));
      if (!operands.back())
        return {};
    }
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.empty())
      return {};
    return llvm::dyn_cast_if_present<Attribute>(results.front());
  }

  SmallVector<Value> repeated;
  llvm::DenseMap<Value, Attribute> known;
  Attribute constant;
};
} // namespace

std::optional<double> axloom::ir::knownNumber(Value value) {
  KnownConstant constant(value);
  std::optional<double> number = constant.number();
  return number && !constant.isDifferentiated() ? number : std::nullopt;
}

bool axloom::ir::isKnown(Value value, double number) {
  KnownConstant constant(value);
  return constant.number() == number && !constant.isDifferentiated();
}

LogicalResult axloom::ir::replaceBy(PatternRewriter &rewriter, Operation *op, Value value) {
  if (value.getType() != op->getResult(0).getType())
    return failure();
  rewriter.replaceOp(op, value);
  return success();
}

OpFoldResult SizeOfOp::fold(FoldAdaptor) {
  if (!getSize().isFixed())
    return {};
  Type element = tensorType(getY()).getElementType();
  int64_t size = getSize().getFactor();
  if (element.isInteger())
    return IntegerAttr::get(element, size);
  return FloatAttr::get(element, double(size));
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
