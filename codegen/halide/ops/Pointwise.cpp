// Pointwise ops: one element from one element of each operand. bf16 is computed in f32 and rounded
// at the end.

#include "codegen/halide/CustomBodies.h"
#include "codegen/halide/Math.h"
#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Rows.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

namespace {
/// Operands of a pointwise op at one place, in the types they are computed in.
std::vector<Expr> operandsAt(Operation *op, LoweredRegion &region, const Coordinates &coordinates) {
  std::vector<Expr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(widened(region.at(operand, coordinates)));
  return operands;
}

using Formula = Expr (*)(const std::vector<Expr> &);

Expr remainder(const std::vector<Expr> &x) {
  if (x[0].type().is_float())
    return minus(x[0], times(x[1], Halide::floor(over(x[0], x[1]))));
  return Halide::select(x[1] == 0, 0, x[0] - x[1] * floorDivide(x[0], x[1]));
}

Expr quotient(const std::vector<Expr> &x) {
  return x[0].type().is_float() ? over(x[0], x[1]) : floorDivide(x[0], x[1]);
}

/// The same of the bits of integers, which wrap around; Halide takes it that those with a sign do
/// not.
template <Expr (*formula)(const Expr &, const Expr &)> Expr wrapped(const std::vector<Expr> &x) {
  Halide::Type type = x[0].type(), bits = type.with_code(halide_type_uint);
  if (type.is_float())
    return formula(x[0], x[1]);
  return Halide::cast(type, formula(Halide::cast(bits, x[0]), Halide::cast(bits, x[1])));
}

/// The formula of an op that needs nothing but its operands.
Formula formulaOf(Operation *op) {
  using V = const std::vector<Expr> &;
  return llvm::StringSwitch<Formula>(op->getName().stripDialect())
      .Case("neg", [](V x) { return -x[0]; })
      .Case("abs", [](V x) { return Halide::abs(x[0]); })
      .Case("floor", [](V x) { return Halide::floor(x[0]); })
      .Case("exp", [](V x) { return expOf(x[0]); })
      .Case("log", [](V x) { return logOf(x[0]); })
      .Case("sqrt", [](V x) { return Halide::sqrt(x[0]); })
      .Case("rsqrt", [](V x) { return Halide::cast(x[0].type(), 1) / Halide::sqrt(x[0]); })
      .Case("tanh", [](V x) { return tanhOf(x[0]); })
      .Case("sigmoid", [](V x) { return sigmoidOf(x[0]); })
      .Case("erf", [](V x) { return erfOf(x[0]); })
      .Case("sin", [](V x) { return sinOf(x[0]); })
      .Case("cos", [](V x) { return cosOf(x[0]); })
      .Case("add", wrapped<plus>)
      .Case("sub", wrapped<minus>)
      .Case("mul", wrapped<times>)
      .Case("div", quotient)
      .Case("rem", remainder)
      .Case("pow", [](V x) { return powOf(x[0], x[1]); })
      .Case("maximum", [](V x) { return larger(x[0], x[1]); })
      .Case("minimum", [](V x) { return smaller(x[0], x[1]); })
      .Case("and", [](V x) { return x[0] && x[1]; })
      .Case("or", [](V x) { return x[0] || x[1]; })
      .Case("not", [](V x) { return !x[0]; })
      .Case("select", [](V x) { return Halide::select(x[0], x[1], x[2]); })
      .Default(nullptr);
}

Expr compared(StringRef predicate, const Expr &a, const Expr &b) {
  return llvm::StringSwitch<Expr>(predicate)
      .Case("eq", isEqual(a, b))
      .Case("ne", !isEqual(a, b))
      .Case("lt", isBelow(a, b))
      .Case("le", isAtMost(a, b))
      .Case("gt", isBelow(b, a))
      .Default(isAtMost(b, a));
}

/// How far an element's place moves the counter of random numbers, with the numbers of axes'
/// factors.
Expr stepsTo(const Coordinates &c, ArrayRef<std::pair<ir::Axis, int64_t>> numbered) {
  std::vector<std::pair<Expr, int64_t>> coordinates;
  for (const auto &[axis, number] : numbered)
    coordinates.emplace_back(c.logical(axis.name), number);
  return counterSteps(coordinates);
}

void lowerRandom(ir::RandomOp op, LoweredRegion &region) {
  SmallVector<std::pair<ir::Axis, int64_t>> numbered = op.numberedAxes();
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr counter = stepsTo(c, numbered);
    if (op.getCounters())
      counter = Halide::cast<uint32_t>(region.at(op.getCounters(), c)) + counter;
    return uniform(region.at(op.getSeed(), c), region.at(op.getStep(), c),
                   region.at(op.getSite(), c), counter);
  });
}

void lowerCounters(ir::CountersOp op, LoweredRegion &region) {
  SmallVector<std::pair<ir::Axis, int64_t>> numbered;
  for (auto [axis, number] : llvm::zip_equal(ir::tensorType(op.getY()).getAxes(), op.getNumbers()))
    numbered.emplace_back(axis, number);
  region.define(op.getY(),
                [&](const Coordinates &c) { return Halide::cast<int32_t>(stepsTo(c, numbered)); });
}
} // namespace

bool codegen::lowerPointwise(Operation *op, LoweredRegion &region) {
  if (Formula formula = formulaOf(op)) {
    region.define(op->getResult(0),
                  [&](const Coordinates &c) { return formula(operandsAt(op, region, c)); });
    return true;
  }
  if (auto compare = llvm::dyn_cast<ir::CompareOp>(op)) {
    region.define(compare.getY(), [&](const Coordinates &c) {
      std::vector<Expr> x = operandsAt(op, region, c);
      return compared(compare.getPredicate(), x[0], x[1]);
    });
    return true;
  }
  if (auto cast = llvm::dyn_cast<ir::CastOp>(op)) {
    auto element = [op, type = halideType(cast.getTo()), &region](const Coordinates &c) {
      Expr x = operandsAt(op, region, c)[0];
      // Halide would keep the lowest bit.
      return type.is_bool() ? !isEqual(x, Halide::cast(x.type(), 0)) : Halide::cast(type, x);
    };
    bool isFactor = ir::tensorType(cast.getX()).getElementType().isBF16(),
         leaves = llvm::any_of(cast->getUsers(), llvm::IsaPred<ir::YieldOp>);
    if (isFactor && !leaves) // roundedFactor looks for these
      region.defineView(cast.getY(), element);
    else
      region.define(cast.getY(), element);
    return true;
  }
  if (auto custom = llvm::dyn_cast<ir::CustomOp>(op)) {
    const HalideBody *body = requireBody(custom);
    if (body)
      region.define(custom.getY(),
                    [&](const Coordinates &c) { return body->at(operandsAt(op, region, c)); });
    return body;
  }
  if (auto random = llvm::dyn_cast<ir::RandomOp>(op)) {
    lowerRandom(random, region);
    return true;
  }
  if (auto counters = llvm::dyn_cast<ir::CountersOp>(op)) {
    lowerCounters(counters, region);
    return true;
  }
  return false;
}
