// Row-wise composites: softmax, layer_norm, cross_entropy, linear_cross_entropy.

#include "codegen/halide/Math.h"
#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Rows.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

namespace {
/// A loss over the rows of an unmasked softmax that was lowered before, or the softmax itself: the
/// op whose largest elements and sums of exponentials it uses.
Operation *ownerOfSums(ir::SoftmaxOp op, LoweredRegion &region) {
  for (Operation *user : op.getX().getUsers())
    if (auto loss = llvm::dyn_cast<ir::CrossEntropyOp>(user))
      if (!op.getMask() && loss.getAxis() == op.getAxis() && region.find(loss, "total"))
        return loss;
  return op;
}

// x: [.., n]; mask: a subset of x's axes; y: as x
void lower(ir::SoftmaxOp op, LoweredRegion &region) {
  auto type = ir::tensorType(op.getX());
  StringRef axis = op.getAxis();
  auto shown = [&](const Coordinates &c) {
    return op.getMask() ? region.at(op.getMask(), c) : Halide::Internal::const_true();
  };
  Operation *owner = ownerOfSums(op, region);
  if (owner == op)
    maximumOver(op, "largest", type, axis, region, [&](const Coordinates &c) {
      Expr x = floatAt(op.getX(), c, region);
      return op.getMask() ? Halide::select(shown(c), x, lowestScore) : x;
    });
  Stage &largest = *region.find(owner, "largest");
  Stage &power = region.part(op, "power", type, [&](const Coordinates &c) {
    Expr x = expOfNegative(floatAt(op.getX(), c, region) - largest.at(c));
    return op.getMask() ? Halide::select(shown(c), x, 0.0f) : x;
  });
  if (owner == op)
    sumOver(op, "total", type, axis, region, [&](const Coordinates &c) { return power.at(c); });
  Stage &total = *region.find(owner, "total");
  region.define(op.getY(), [&](const Coordinates &c) {
    // A row with nothing visible has total 0 and gives zeros.
    Expr factor = Halide::select(total.at(c) > 0.0f, 1.0f / total.at(c), 0.0f);
    return power.at(c) * factor;
  });
}

// x: [.., n]; scale, offset: [n]; mean, rstd: [..]; y: as x
void lower(ir::LayerNormOp op, LoweredRegion &region) {
  auto type = ir::tensorType(op.getX());
  StringRef axis = op.getAxis();
  Expr count = Halide::cast<float>(region.sizeOf(type.sizeOf(axis)));
  Stage &sum = sumOver(op, "sum", type, axis, region,
                       [&](const Coordinates &c) { return floatAt(op.getX(), c, region); });
  region.define(op.getMean(), [&](const Coordinates &c) { return sum.at(c) / count; });
  Stage &squares = sumOver(op, "squares", type, axis, region, [&](const Coordinates &c) {
    Expr distance = floatAt(op.getX(), c, region) - floatAt(op.getMean(), c, region);
    return distance * distance;
  });
  float epsilon = op.getEpsilon().convertToDouble();
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

/// log(sum(exp(row))) and what goes into it, for rows of `scores`.
struct LogSumExp {
  Stage *largest, *total;
  Expr at(const Coordinates &c) const { return largest->at(c) + logOf(total->at(c)); }
};

LogSumExp logSumExp(Operation *op, ir::NamedTensorType type, StringRef axis, LoweredRegion &region,
                    const LoweredRegion::Definition &score) {
  Stage &largest = maximumOver(op, "largest", type, axis, region, score);
  Stage &total = sumOver(op, "total", type, axis, region, [&](const Coordinates &c) {
    return expOfNegative(score(c) - largest.at(c));
  });
  return {&largest, &total};
}

/// The label's index at a place, within the classes.
Expr labelAt(Value labels, Expr classes, const Coordinates &c, LoweredRegion &region) {
  return Halide::clamp(region.at(labels, c), 0, classes - 1);
}

// logits: [.., classes]; labels: [..]; y: [..]
// y = logsumexp - (1 - smoothing) * logits[label] - smoothing / classes * sum(logits)
void lower(ir::CrossEntropyOp op, LoweredRegion &region) {
  auto type = ir::tensorType(op.getLogits());
  StringRef axis = op.getAxis();
  float smoothing = op.getSmoothing().convertToDouble();
  Expr classes = region.sizeOf(type.sizeOf(axis));
  auto logit = [&](const Coordinates &c) { return floatAt(op.getLogits(), c, region); };
  LogSumExp normalizer = logSumExp(op, type, axis, region, logit);
  Stage *sum = smoothing > 0 ? &sumOver(op, "sum", type, axis, region, logit) : nullptr;
  region.define(op.getY(), [&](const Coordinates &c) {
    Expr label = labelAt(op.getLabels(), classes, c, region);
    Expr y = normalizer.at(c) - (1.0f - smoothing) * logit(c.with(axis, label));
    return sum ? y - smoothing / Halide::cast<float>(classes) * sum->at(c) : y;
  });
}

// x: [tokens.., model]; w: [classes, model]; labels, weights: [tokens..]
// logits = x w^T; loss = sum weights * cross_entropy(logits); dlogits = weights * (softmax(logits)
// - target); unit_dx = dlogits w; unit_dw = dlogits^T x
void lower(ir::LinearCrossEntropyOp op, LoweredRegion &region) {
  auto x = ir::tensorType(op.getX());
  auto tokens = x.without({op.getModelAttr()}); // labels and weights may lack some of its axes
  StringRef model = op.getModel(), axis = op.getClasses();
  float smoothing = op.getSmoothing().convertToDouble();
  auto type = tokens.with({op.getClassesAttr(), ir::tensorType(op.getW()).sizeOf(axis)});
  Expr classes = region.sizeOf(type.sizeOf(axis));
  auto factor = [&](const Expr &value) {
    return op.getFactors() ? Halide::cast<float>(roundedFactor(value)) : value;
  };
  auto factorAt = [&](Value value, const Coordinates &c) {
    return factor(floatAt(value, c, region));
  };
  Stage &logits =
      sumOver(op, "logits", type.with({StringAttr::get(op.getContext(), model), x.sizeOf(model)}),
              model, region, [&](const Coordinates &c) {
                return factorAt(op.getX(), c) * factorAt(op.getW(), c);
              });
  auto logit = [&logits](const Coordinates &c) { return logits.at(c); };
  LogSumExp normalizer = logSumExp(op, type, axis, region, logit);
  Stage *sum = smoothing > 0 ? &sumOver(op, "sum", type, axis, region, logit) : nullptr;
  Stage &loss = region.part(op, "token_loss", tokens, [&](const Coordinates &c) {
    Expr label = labelAt(op.getLabels(), classes, c, region);
    Expr y = normalizer.at(c) - (1.0f - smoothing) * logit(c.with(axis, label));
    y = sum ? y - smoothing / Halide::cast<float>(classes) * sum->at(c) : y;
    return y * floatAt(op.getWeights(), c, region);
  });
  SmallVector<StringRef> tokenAxes;
  for (const ir::Axis &token : tokens.getAxes())
    tokenAxes.push_back(token.name);
  region.bind(op.getLoss(), sumOver(op, "loss", tokens, tokenAxes, region,
                                    [&](const Coordinates &c) { return loss.at(c); }));
  if (op.getUnitDx().use_empty() && op.getUnitDw().use_empty())
    return;

  Stage &slope = region.part(op, "slope", type, [&](const Coordinates &c) {
    Expr label = labelAt(op.getLabels(), classes, c, region);
    Expr target = Halide::select(c[axis] == label, 1.0f - smoothing, 0.0f) +
                  smoothing / Halide::cast<float>(classes);
    return floatAt(op.getWeights(), c, region) *
           (expOfNegative(logit(c) - normalizer.at(c)) - target);
  });
  auto all = type.with({StringAttr::get(op.getContext(), model), x.sizeOf(model)});
  region.bind(op.getUnitDx(), sumOver(op, "dx", all, axis, region, [&](const Coordinates &c) {
                return factor(slope.at(c)) * factorAt(op.getW(), c);
              }));
  region.bind(op.getUnitDw(), sumOver(op, "dw", all, tokenAxes, region, [&](const Coordinates &c) {
                return factor(slope.at(c)) * factorAt(op.getX(), c);
              }));
}
} // namespace

bool codegen::lowerComposite(Operation *op, LoweredRegion &region) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::SoftmaxOp, ir::LayerNormOp, ir::CrossEntropyOp, ir::LinearCrossEntropyOp>(
          [&](auto matched) {
            lower(matched, region);
            return true;
          })
      .Default(false);
}
