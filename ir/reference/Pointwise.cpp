// What pointwise ops mean: one formula an op, applied at each point of the result.

#include "ir/Factors.h"
#include "ir/reference/Evaluation.h"
#include "runtime/Random.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace axloom::ir::reference {
//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// Arithmetic on i32 wraps around.
static double wrap(int64_t wide) { return static_cast<int32_t>(static_cast<uint32_t>(wide)); }

/// Rounds towards minus infinity; division by zero gives zero.
static int64_t quotient(int64_t a, int64_t b) { return b == 0 ? 0 : llvm::divideFloorSigned(a, b); }

static double formula(NegOp, double x) { return -x; }
static double formula(AbsOp, double x) { return std::abs(x); }
static double formula(ExpOp, double x) { return std::exp(x); }
static double formula(LogOp, double x) { return std::log(x); }
static double formula(SqrtOp, double x) { return std::sqrt(x); }
static double formula(RsqrtOp, double x) { return 1 / std::sqrt(x); }
static double formula(TanhOp, double x) { return std::tanh(x); }
static double formula(SigmoidOp, double x) { return 1 / (1 + std::exp(-x)); }
static double formula(ErfOp, double x) { return std::erf(x); }
static double formula(SinOp, double x) { return std::sin(x); }
static double formula(CosOp, double x) { return std::cos(x); }
static double formula(FloorOp, double x) { return std::floor(x); }
static double formula(StopGradientOp, double x) { return x; }
static double formula(NotOp, double x) { return x == 0; }

static double formula(AddOp, double a, double b) { return a + b; }
static double formula(SubOp, double a, double b) { return a - b; }
static double formula(MulOp, double a, double b) { return a * b; }
static double formula(DivOp, double a, double b) { return a / b; }
static double formula(RemOp, double a, double b) { return a - b * std::floor(a / b); }
static double formula(PowOp, double a, double b) { return std::pow(a, b); }
// Not-a-number where either is; std::max and std::min give their first operand then.
static double formula(MaximumOp, double a, double b) { return std::isnan(b) ? b : std::max(a, b); }
static double formula(MinimumOp, double a, double b) { return std::isnan(b) ? b : std::min(a, b); }
static double formula(AndOp, double a, double b) { return a != 0 && b != 0; }
static double formula(OrOp, double a, double b) { return a != 0 || b != 0; }

static double formula(CompareOp op, double a, double b) {
  return llvm::StringSwitch<bool>(op.getPredicate())
      .Case("eq", a == b)
      .Case("ne", a != b)
      .Case("lt", a < b)
      .Case("le", a <= b)
      .Case("gt", a > b)
      .Case("ge", a >= b)
      .Default(false);
}

static double formula(SelectOp, double mask, double a, double b) { return mask != 0 ? a : b; }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult computeUnary(Op op, Evaluation &e) {
  Array &y = e.result();
  Read x(e.operand(op.getX()), y.space);
  Write to(y, y.space);
  y.space.forEach([&](Point p) { to[p] = formula(op, x[p]); });
  return success();
}
#define AXLOOM_UNARY(Op)                                                                           \
  static LogicalResult compute(Op op, Evaluation &e) { return computeUnary(op, e); }
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

template <typename Op>
static LogicalResult computeBinary(Op op, Evaluation &e,
                                   llvm::function_ref<double(double, double)> f) {
  Array &y = e.result();
  Read a(e.operand(op.getA()), y.space), b(e.operand(op.getB()), y.space);
  Write to(y, y.space);
  y.space.forEach([&](Point p) { to[p] = f(a[p], b[p]); });
  return success();
}
#define AXLOOM_BINARY(Op)                                                                          \
  static LogicalResult compute(Op op, Evaluation &e) {                                             \
    return computeBinary(op, e, [&](double a, double b) { return formula(op, a, b); });            \
  }
AXLOOM_BINARY(PowOp)
AXLOOM_BINARY(MaximumOp)
AXLOOM_BINARY(MinimumOp)
AXLOOM_BINARY(AndOp)
AXLOOM_BINARY(OrOp)
AXLOOM_BINARY(CompareOp)
#undef AXLOOM_BINARY

/// Arithmetic that i32 has too.
#define AXLOOM_ARITHMETIC(Op, integerFormula)                                                      \
  static LogicalResult compute(Op op, Evaluation &e) {                                             \
    if (!tensorType(op.getY()).getElementType().isInteger())                                       \
      return computeBinary(op, e, [&](double a, double b) { return formula(op, a, b); });          \
    return computeBinary(op, e, [](double x, double y) {                                           \
      auto a = static_cast<int64_t>(x), b = static_cast<int64_t>(y);                               \
      return wrap(integerFormula);                                                                 \
    });                                                                                            \
  }
AXLOOM_ARITHMETIC(AddOp, a + b)
AXLOOM_ARITHMETIC(SubOp, a - b)
AXLOOM_ARITHMETIC(MulOp, a *b)
AXLOOM_ARITHMETIC(DivOp, quotient(a, b))
AXLOOM_ARITHMETIC(RemOp, b == 0 ? 0 : a - b * quotient(a, b))
#undef AXLOOM_ARITHMETIC

static LogicalResult compute(SelectOp op, Evaluation &e) {
  Array &y = e.result();
  Read mask(e.operand(op.getMask()), y.space);
  Read a(e.operand(op.getA()), y.space), b(e.operand(op.getB()), y.space);
  Write to(y, y.space);
  y.space.forEach([&](Point p) { to[p] = formula(op, mask[p], a[p], b[p]); });
  return success();
}

static LogicalResult compute(CastOp op, Evaluation &e) {
  Array &y = e.result();
  Read x(e.operand(op.getX()), y.space);
  Write to(y, y.space);
  Type target = tensorType(op.getY()).getElementType();
  y.space.forEach([&](Point p) {
    if (target.isInteger(1))
      to[p] = x[p] != 0;
    else if (target.isBF16())
      to[p] = roundedFactor(x[p], target);
    else
      to[p] = target.isInteger(32) ? std::trunc(x[p]) : x[p];
  });
  return success();
}

static LogicalResult compute(RandomOp op, Evaluation &e) {
  auto scalar = [&](Value value) { return static_cast<int32_t>(e.operand(value).values[0]); };
  auto key = random::Key::of(scalar(op.getSeed()), scalar(op.getStep()), scalar(op.getSite()));
  Array &y = e.result();
  Write to(y, y.space);
  SmallVector<std::pair<int64_t, int64_t>> numbered; // places in the shape, numbers of factors
  for (const auto &[axis, number] : op.numberedAxes())
    numbered.emplace_back(y.space.position(axis.name.getValue()), number);
  std::optional<Read> counters;
  if (op.getCounters())
    counters.emplace(e.operand(op.getCounters()), y.space);
  y.space.forEach([&](Point p) {
    uint32_t counter = key.start;
    if (counters)
      counter += static_cast<uint32_t>(static_cast<int32_t>((*counters)[p]));
    for (auto [place, number] : numbered)
      counter += static_cast<uint32_t>(p[place]) * random::coordinateFactors[number];
    to[p] = random::uniform(random::bits(key, counter));
  });
  return success();
}

static LogicalResult compute(CountersOp op, Evaluation &e) {
  Array &y = e.result();
  Write to(y, y.space);
  y.space.forEach([&](Point p) {
    uint32_t steps = 0;
    for (auto [index, number] : llvm::zip_equal(p, op.getNumbers()))
      steps += static_cast<uint32_t>(index) * random::coordinateFactors[number];
    to[p] = static_cast<int32_t>(steps);
  });
  return success();
}

void attachPointwise(MLIRContext *context) {
  attach<NegOp, AbsOp, ExpOp, LogOp, SqrtOp, RsqrtOp, TanhOp, SigmoidOp, ErfOp, SinOp, CosOp>(
      context);
  attach<FloorOp, StopGradientOp, NotOp>(context);
  attach<AddOp, SubOp, MulOp, DivOp, RemOp, PowOp, MaximumOp, MinimumOp, AndOp, OrOp, CompareOp>(
      context);
  attach<SelectOp, CastOp, RandomOp, CountersOp>(context);
}
} // namespace axloom::ir::reference
