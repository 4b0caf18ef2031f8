// Row-wise composites: softmax, layer_norm, cross_entropy.

#include "codegen/halide/Math.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Rows.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

namespace {
/// What softmax and losses need to know of a row of x.
enum Statistic {
  Largest, // of its elements
  Total,   // sum(exp(x - largest))
  Sum      // of its elements
};

Expr orHidden(const LoweredRegion::Definition &shown, const Coordinates &c, const Expr &element,
              const Expr &hidden) {
  return shown ? Halide::select(shown(c), element, Halide::cast(element.type(), hidden)) : element;
}

/// The statistics of rows of `x` along `axis`, among elements that are `shown`. One function of
/// several values, so that a schedule may read a row once for all of them.
Stage &rowStatistics(Operation *op, ir::NamedTensorType type, StringRef axis,
                     const LoweredRegion::Definition &x, const LoweredRegion::Definition &shown,
                     bool withSum, LoweredRegion &region) {
  Stage &largest = maximumOver(op, "largest", type, axis, region, [&](const Coordinates &c) {
    Expr element = x(c);
    return orHidden(shown, c, element,
                    Halide::Internal::make_const(element.type(), lowestFinite(element.type())));
  });
  Stage &total = sumOver(op, "total", type, axis, region, [&](const Coordinates &c) {
    return orHidden(shown, c, expOfNegative(x(c) - largest.at(c)), 0.0f);
  });
  Stage &statistics = region.newStage(op, roles::rowStatistics, largest.dimensions);
  Coordinates row = region.coordinatesOf(statistics.dimensions, statistics.variables);
  std::vector<Expr> values = {largest.at(row), total.at(row)};
  if (withSum)
    values.push_back(sumOver(op, "sum", type, axis, region, x).at(row));
  statistics.func(statistics.variables) = Halide::Tuple(values);
  return statistics;
}

/// Those of a loss over the rows of an unmasked softmax that was lowered before, if there is one.
Stage *statisticsOfLoss(ir::SoftmaxOp op, LoweredRegion &region) {
  for (Operation *user : op.getX().getUsers())
    if (auto loss = llvm::dyn_cast<ir::CrossEntropyOp>(user))
      if (!op.getMask() && loss.getAxis() == op.getAxis())
        if (Stage *statistics = region.find(loss, roles::rowStatistics))
          return statistics;
  return nullptr;
}

// x: [.., n]; mask: any axes; y: those of both
void lower(ir::SoftmaxOp op, LoweredRegion &region) {
  auto x = [&](const Coordinates &c) { return floatAt(op.getX(), c, region); };
  LoweredRegion::Definition shown;
  if (op.getMask())
    shown = [&](const Coordinates &c) { return region.at(op.getMask(), c); };
  Stage *known = statisticsOfLoss(op, region);
  Stage &statistics = known ? *known
                            : rowStatistics(op, ir::tensorType(op.getY()), op.getAxis(), x, shown,
                                            /*withSum=*/false, region);
  region.define(op.getY(), [&](const Coordinates &c) {
    // A row with nothing visible has total 0 and gives zeros.
    Expr total = statistics.at(c, Total), zero = Halide::cast(total.type(), 0);
    Expr factor = Halide::select(isEqual(total, zero), zero, 1.0f / total);
    return orHidden(shown, c, expOfNegative(x(c) - statistics.at(c, Largest)), 0.0f) * factor;
  });
}

// x: [.., n]; scale, offset: [n]; mean, rstd: [..]; y: as x
void lower(ir::LayerNormOp op, LoweredRegion &region) {
  auto type = ir::tensorType(op.getX());
  StringRef axis = op.getAxis();
  Stage &sum = sumOver(op, "sum", type, axis, region,
                       [&](const Coordinates &c) { return floatAt(op.getX(), c, region); });
  Halide::Type elements = sum.func.type();
  Expr count = Halide::cast(elements, region.sizeOf(type.sizeOf(axis)));
  region.define(op.getMean(), [&](const Coordinates &c) { return sum.at(c) / count; });
  Stage &squares = sumOver(op, "squares", type, axis, region, [&](const Coordinates &c) {
    Expr distance = floatAt(op.getX(), c, region) - floatAt(op.getMean(), c, region);
    return distance * distance;
  });
  Expr epsilon = Halide::Internal::make_const(elements, op.getEpsilon().convertToDouble());
  region.define(op.getRstd(), [&](const Coordinates &c) {
    return 1.0f / Halide::sqrt(squares.at(c) / count + epsilon);
  });
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr y = times(floatAt(op.getX(), c, region) - floatAt(op.getMean(), c, region),
                   floatAt(op.getRstd(), c, region));
    if (op.getScale())
      y = times(y, floatAt(op.getScale(), c, region));
    return op.getOffset() ? plus(y, floatAt(op.getOffset(), c, region)) : y;
  });
}

// logits: [.., classes]; labels: [..]; y: [..]
// y = log(total) - (1 - smoothing) * (logits[label] - largest)
//     - smoothing * (sum(logits) / classes - largest)
void lower(ir::CrossEntropyOp op, LoweredRegion &region) {
  StringRef axis = op.getAxis();
  double smoothing = op.getSmoothing().convertToDouble();
  Expr classes = region.sizeOf(op.getLogits(), axis);
  auto logit = [&](const Coordinates &c) { return floatAt(op.getLogits(), c, region); };
  Stage &statistics = rowStatistics(op, ir::tensorType(op.getLogits()), axis, logit, nullptr,
                                    /*withSum=*/smoothing > 0, region);
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr label = Halide::clamp(region.at(op.getLabels(), c), 0, classes - 1);
    Expr total = statistics.at(c, Total);
    auto number = [&](double x) { return Halide::Internal::make_const(total.type(), x); };
    // Distances from the largest logit: beside it, a small loss would have no bits left.
    auto distance = [&](const Expr &x) { return minus(x, statistics.at(c, Largest)); };
    Expr y =
        minus(logOf(total), times(number(1 - smoothing), distance(logit(c.with(axis, label)))));
    if (smoothing > 0) {
      Expr mean = statistics.at(c, Sum) / Halide::cast(total.type(), classes);
      y = minus(y, times(number(smoothing), distance(mean)));
    }
    return y;
  });
}
} // namespace

bool codegen::lowerComposite(Operation *op, LoweredRegion &region) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::SoftmaxOp, ir::LayerNormOp, ir::CrossEntropyOp>([&](auto matched) {
        lower(matched, region);
        return true;
      })
      .Default(false);
}
