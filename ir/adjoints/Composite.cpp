// Adjoints of softmax, layer_norm and the cross entropies.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

/// The mean over one axis.
static Term mean(Term x, StringAttr axis) { return sum(x, axis) / extent(x, axis); }

// dx = y * (g - sum(g * y)); hidden elements have y = 0.
LogicalResult SoftmaxOp::buildAdjoints(Adjoints &adjoints) {
  Term g = adjoints.term(adjoints.of(getY())), y = adjoints.term(getY());
  adjoints.add(getX(), y * (g - sum(g * y, getAxisAttr())));
  return success();
}

/// What x gets through y = n * scale + offset, where n = (x - mean) * rstd.
static Term throughNormalized(Term g, Term n, Term rstd, StringAttr axis) {
  return rstd * (g - mean(g, axis) - n * mean(g * n, axis));
}

LogicalResult LayerNormOp::buildAdjoints(Adjoints &adjoints) {
  StringAttr axis = getAxisAttr();
  Term rstd = adjoints.term(getRstd());
  Type wide = rstd.type().getElementType();
  auto widened = [&](Value value) { return converted(adjoints.term(value), wide); };
  Term x = widened(getX()), n = (x - adjoints.term(getMean())) * rstd;
  if (Value gy = adjoints.of(getY())) {
    Term g = widened(gy);
    if (adjoints.needs(getScale()))
      adjoints.addRounded(getScale(), g * n);
    adjoints.addRounded(getOffset(), g);
    if (adjoints.needs(getX()))
      adjoints.addRounded(
          getX(), throughNormalized(getScale() ? g * widened(getScale()) : g, n, rstd, axis));
  }
  // The statistics have adjoints of their own in gradients of gradients.
  if (Value g = adjoints.of(getMean()))
    adjoints.addRounded(getX(), adjoints.term(g) / extent(x, axis));
  if (Value g = adjoints.of(getRstd()))
    adjoints.addRounded(getX(), -(adjoints.term(g) * rstd * rstd * n) / extent(x, axis));
  return success();
}

/// (1 - smoothing) * onehot(labels) + smoothing / classes, with the axes of the labels and `axis`.
static Term smoothedTargets(Term logits, Value labels, StringAttr axis, double smoothing) {
  SizeAttr classes = logits.type().sizeOf(axis);
  Term index =
      logits.at(IotaOp::create(*logits.builder, logits.location, axis, classes, SizeAttr()));
  Term elsewhere = logits.number(smoothing) / extent(logits, axis);
  return select(compare("eq", index, logits.at(labels)), elsewhere + (1.0 - smoothing), elsewhere);
}

LogicalResult CrossEntropyOp::buildAdjoints(Adjoints &adjoints) {
  Term g = adjoints.term(adjoints.of(getY())), logits = adjoints.term(getLogits());
  Term predicted = logits.at(
      SoftmaxOp::create(adjoints.builder, adjoints.location, getLogits(), Value(), getAxis()));
  Term targets =
      smoothedTargets(logits, getLabels(), getAxisAttr(), getSmoothing().convertToDouble());
  adjoints.add(getLogits(), g * (predicted - targets));
  return success();
}

// The forward op found the gradients of a unit adjoint on the way.
LogicalResult LinearCrossEntropyOp::buildAdjoints(Adjoints &adjoints) {
  if (adjoints.of(getUnitDx()) || adjoints.of(getUnitDw()))
    return emitOpError("has no second derivative; disable recognize-linear-cross-entropy");
  Term g = adjoints.term(adjoints.of(getLoss()));
  if (adjoints.needs(getX()))
    adjoints.add(getX(), g * adjoints.term(getUnitDx()));
  if (adjoints.needs(getW()))
    adjoints.add(getW(), g * adjoints.term(getUnitDw()));
  if (adjoints.needs(getWeights())) {
    Term logits = contract(adjoints.term(getX()), adjoints.term(getW()), getModelAttr());
    Term losses = g.at(CrossEntropyOp::create(adjoints.builder, adjoints.location, logits.value,
                                              getLabels(), getClasses(), getSmoothing()));
    adjoints.add(getWeights(), g * losses);
  }
  return success();
}
