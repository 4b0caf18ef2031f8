#include "tests/support/Gradients.h"
#include "tests/system/random/Makers.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

static bool isMask(Value value) { return ir::tensorType(value).getElementType().isInteger(1); }
static bool isInteger(Value value) { return ir::tensorType(value).getElementType().isInteger(32); }
static bool isFloat(Value value) { return isDifferentiable(value.getType()); }

template <typename Op> static bool unary(Pool &pool) {
  Value x = pool.pickFloat();
  return x && pool.add<Op>(x);
}

/// x * x + 0.5, which log, sqrt and division can take.
static Value positive(Pool &pool) {
  Value x = pool.pickFloat();
  Value square = x ? pool.addValue<ir::MulOp>(x, x) : Value();
  Value half = square ? pool.constant(0.5) : Value();
  return half ? pool.addValue<ir::AddOp>(square, half) : Value();
}

template <typename Op> static bool unaryOfPositive(Pool &pool) {
  Value x = positive(pool);
  return x && pool.add<Op>(x);
}

template <typename Op> static bool binary(Pool &pool) {
  Value a = pool.pickFloat(), b = pool.pick(isFloat);
  return a && pool.add<Op>(a, b);
}

static bool scaled(Pool &pool) {
  Value x = pool.pickFloat();
  Value factor = pool.constant(static_cast<double>(pool.below(17) - 8) / 4);
  return x && factor && pool.add<ir::MulOp>(x, factor);
}

static bool quotient(Pool &pool) {
  Value a = pool.pickFloat(), b = positive(pool);
  return a && b && pool.add<ir::DivOp>(a, b);
}

static bool power(Pool &pool) {
  Value a = positive(pool);
  Value exponent = a ? pool.constant(static_cast<double>(pool.below(5)) / 2 - 1) : Value();
  return exponent && pool.add<ir::PowOp>(a, exponent);
}

template <typename Op> static bool logical(Pool &pool) {
  Value a = pool.pick(isMask), b = pool.pick(isMask);
  return a && a != b && pool.add<Op>(a, b);
}

static bool negatedMask(Pool &pool) {
  Value x = pool.pick(isMask);
  return x && pool.add<ir::NotOp>(x);
}

static bool comparison(Pool &pool) {
  constexpr const char *predicates[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  const char *predicate = predicates[pool.below(6)];
  bool integers = pool.chance(0.3);
  Value a = integers ? pool.pick(isInteger) : pool.pickFloat();
  Value b = integers ? pool.pick(isInteger) : pool.pick(isFloat);
  return a && b && a != b && pool.add<ir::CompareOp>(predicate, a, b);
}

static bool selection(Pool &pool) {
  Value mask = pool.pick(isMask), a = pool.pickFloat(), b = pool.pick(isFloat);
  return mask && a && b && pool.add<ir::SelectOp>(mask, a, b);
}

static bool maskAsNumber(Pool &pool) {
  Value mask = pool.pick([](Value v) { return isMask(v) || isInteger(v); });
  return mask && pool.add<ir::CastOp>(mask, pool.builder.getF32Type());
}

/// Dropout: x * (random >= rate) / (1 - rate).
static bool dropout(Pool &pool) {
  Value x = pool.pickFloat();
  if (!x)
    return false;
  auto integer = [&](int64_t limit) {
    return pool.addValue<ir::ConstantOp>(
        pool.builder.getI32IntegerAttr(static_cast<int32_t>(pool.below(limit))));
  };
  Value seed = integer(1000), step = integer(1000), site = integer(10);
  Value uniform = pool.addValue<ir::RandomOp>(seed, step, site, ir::tensorType(x));
  Value rate = pool.constant(0.25), factor = pool.constant(1 / 0.75);
  Value keep = uniform ? pool.addValue<ir::CompareOp>("ge", uniform, rate) : Value();
  Value kept = keep ? pool.addValue<ir::CastOp>(keep, pool.builder.getF32Type()) : Value();
  Value scale = kept ? pool.addValue<ir::MulOp>(kept, factor) : Value();
  return scale && pool.add<ir::MulOp>(x, scale);
}

std::vector<Maker> test::pointwiseMakers() {
  return {unary<ir::NegOp>,
          unary<ir::AbsOp>,
          unary<ir::ExpOp>,
          unary<ir::TanhOp>,
          unary<ir::SigmoidOp>,
          unary<ir::ErfOp>,
          unary<ir::SinOp>,
          unary<ir::CosOp>,
          unaryOfPositive<ir::LogOp>,
          unaryOfPositive<ir::SqrtOp>,
          unaryOfPositive<ir::RsqrtOp>,
          binary<ir::AddOp>,
          binary<ir::AddOp>,
          binary<ir::SubOp>,
          binary<ir::MulOp>,
          binary<ir::MulOp>,
          binary<ir::MaximumOp>,
          binary<ir::MinimumOp>,
          scaled,
          quotient,
          power,
          logical<ir::AndOp>,
          logical<ir::OrOp>,
          negatedMask,
          comparison,
          selection,
          selection,
          maskAsNumber,
          dropout};
}
