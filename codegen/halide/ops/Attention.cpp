// Attention and its gradient, op by op as their formulas say.

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
/// The union of axes, for stages that no value of the IR stands for.
ir::NamedTensorType joined(ir::NamedTensorType a, ir::NamedTensorType b) {
  for (const ir::Axis &axis : b.getAxes())
    if (!a.has(axis.name))
      a = a.with(axis);
  return a;
}

/// The axes that a tensor of `type` lacks.
SmallVector<StringRef> axesBeside(ir::NamedTensorType space, ir::NamedTensorType type) {
  SmallVector<StringRef> axes;
  for (const ir::Axis &axis : space.getAxes())
    if (!type.has(axis.name))
      axes.push_back(axis.name);
  return axes;
}

ir::NamedTensorType without(ir::NamedTensorType type, StringRef axis) {
  return type.without(StringAttr::get(type.getContext(), axis));
}

/// A factor of a product, rounded where the op says so.
template <typename Op> Expr factor(Op op, const Expr &x) {
  return op.getFactors() ? Halide::cast<float>(roundedFactor(x)) : x;
}

/// What attention and its gradient share: scores and which of them are visible.
template <typename Op> struct Scores {
  Op op;
  LoweredRegion &region;
  ir::NamedTensorType type; // [.., query, key]
  Stage *product;           // q k^T

  Scores(Op op, LoweredRegion &region) : op(op), region(region) {
    auto all = joined(ir::tensorType(op.getQ()), ir::tensorType(op.getK()));
    type = without(all, op.getDepth());
    product = &sumOver(op, "score_product", all, op.getDepth(), region, [&](const Coordinates &c) {
      return factor(op, floatAt(op.getQ(), c, region)) * factor(op, floatAt(op.getK(), c, region));
    });
  }

  /// scale * q k^T + bias, in units of log 2
  Expr at(const Coordinates &c) {
    Expr score = product->at(c) * float(op.getScale().convertToDouble());
    return inUnitsOfLog2(op.getBias() ? score + floatAt(op.getBias(), c, region) : score);
  }

  Expr masked(const Coordinates &c, Expr value, float hidden) {
    return op.getMask() ? Halide::select(region.at(op.getMask(), c), value, hidden) : value;
  }

  Expr kept(const Coordinates &c, Expr value) {
    return op.getKeep() ? value * floatAt(op.getKeep(), c, region) : value;
  }
};

void lower(ir::AttentionOp op, LoweredRegion &region) {
  Scores scores(op, region);
  StringRef key = op.getKey();
  Stage &largest = maximumOver(op, "largest", scores.type, key, region, [&](const Coordinates &c) {
    return scores.masked(c, scores.at(c), lowestScore);
  });
  Stage &power = region.part(op, roles::power, scores.type, [&](const Coordinates &c) {
    return scores.masked(c, exp2OfNegative(scores.at(c) - largest.at(c)), 0.0f);
  });
  Stage &total = sumOver(op, "total", scores.type, key, region,
                         [&](const Coordinates &c) { return power.at(c); });
  auto all = joined(scores.type, ir::tensorType(op.getV()));
  Stage &sum = sumOver(op, roles::weightedSum, all, key, region, [&](const Coordinates &c) {
    return factor(op, scores.kept(c, power.at(c))) * factor(op, floatAt(op.getV(), c, region));
  });
  region.define(op.getOutput(), [&](const Coordinates &c) {
    return sum.at(c) * Halide::select(total.at(c) > 0.0f, 1.0f / total.at(c), 0.0f);
  });
  region.define(op.getLog2sumexp(), [&](const Coordinates &c) {
    Expr safe = Halide::select(total.at(c) > 0.0f, total.at(c), 1.0f);
    return Halide::select(total.at(c) > 0.0f, largest.at(c) + inUnitsOfLog2(logOf(safe)), 0.0f);
  });
}

// P = 2^(s - log2sumexp); W = keep * P; dP = keep * (dC v^T); D = rowsum(dC * C); dS = P * (dP - D)
// dq = scale * dS k; dk = scale * dS^T q; dv = W^T dC
void lower(ir::AttentionGradientOp op, LoweredRegion &region) {
  Scores scores(op, region);
  auto q = ir::tensorType(op.getQ()), k = ir::tensorType(op.getK()), v = ir::tensorType(op.getV());
  auto gradient = ir::tensorType(op.getGradient());
  SmallVector<StringRef> value = axesBeside(v, scores.type);
  float scale = op.getScale().convertToDouble();

  Stage &rowSum = sumOver(op, "row_sum", gradient, value, region, [&](const Coordinates &c) {
    return floatAt(op.getGradient(), c, region) * floatAt(op.getOutput(), c, region);
  });
  Stage &product = sumOver(op, "gradient_product", joined(scores.type, v), value, region,
                           [&](const Coordinates &c) {
                             return factor(op, floatAt(op.getGradient(), c, region)) *
                                    factor(op, floatAt(op.getV(), c, region));
                           });
  Stage &weight = region.part(op, "weight", scores.type, [&](const Coordinates &c) {
    return scores.masked(c, exp2OfNegative(scores.at(c) - floatAt(op.getLog2sumexp(), c, region)),
                         0.0f);
  });
  Stage &slope = region.part(op, "slope", scores.type, [&](const Coordinates &c) {
    return weight.at(c) * (scores.kept(c, product.at(c)) - rowSum.at(c)) * scale;
  });
  // An operand may lack axes that others share: its adjoint sums over them.
  auto adjoint = [&](Value result, StringRef role, ir::NamedTensorType operand,
                     const LoweredRegion::Definition &product) {
    auto space = joined(scores.type, operand);
    region.bind(result, sumOver(op, role, space, axesBeside(space, operand), region, product));
  };
  adjoint(op.getDq(), "dq", q, [&](const Coordinates &c) {
    return factor(op, slope.at(c)) * factor(op, floatAt(op.getK(), c, region));
  });
  adjoint(op.getDk(), "dk", k, [&](const Coordinates &c) {
    return factor(op, slope.at(c)) * factor(op, floatAt(op.getQ(), c, region));
  });
  adjoint(op.getDv(), "dv", v, [&](const Coordinates &c) {
    return factor(op, scores.kept(c, weight.at(c))) *
           factor(op, floatAt(op.getGradient(), c, region));
  });
}
} // namespace

bool codegen::lowerAttention(Operation *op, LoweredRegion &region) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::AttentionOp, ir::AttentionGradientOp>([&](auto matched) {
        lower(matched, region);
        return true;
      })
      .Default(false);
}
