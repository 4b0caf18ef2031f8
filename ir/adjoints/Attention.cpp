// Adjoints of attention: q, k and v get theirs from attention_gradient, which never holds all
// scores. A bias or keep factor that needs one (rare: learned position biases) gets it from scores
// made again in the graph.

#include "ir/Dialect.h"

#include <numbers>

using namespace mlir;
using namespace axloom::ir;

/// A value in the precision of the forward pass, which its statistics keep.
static Term unrounded(AttentionOp op, Adjoints &adjoints, Value value) {
  return converted(adjoints.term(value), tensorType(op.getLog2sumexp()).getElementType());
}

/// The probabilities before dropout, exp(scores) / 2^log2sumexp, 0 where hidden: [.., query, key].
static Term probabilities(AttentionOp op, Adjoints &adjoints) {
  Term q = unrounded(op, adjoints, op.getQ()), k = unrounded(op, adjoints, op.getK());
  Term scores = contract(q, k, op.getDepthAttr()) * op.getScale().convertToDouble();
  if (op.getBias())
    scores = scores + unrounded(op, adjoints, op.getBias());
  Term shown = exp(scores - adjoints.term(op.getLog2sumexp()) * std::numbers::ln2);
  return op.getMask() ? select(adjoints.term(op.getMask()), shown, shown.number(0)) : shown;
}

/// The axis that v alone has, which the output takes from it.
static SmallVector<StringAttr> valueAxes(AttentionOp op) {
  SmallVector<StringAttr> axes;
  for (const Axis &axis : tensorType(op.getOutput()).getAxes())
    if (!tensorType(op.getLog2sumexp()).has(axis.name.getValue()))
      axes.push_back(axis.name);
  return axes;
}

static void addScoreAdjoints(AttentionOp op, Adjoints &adjoints, Value outputAdjoint) {
  Term g = unrounded(op, adjoints, outputAdjoint), v = unrounded(op, adjoints, op.getV());
  Term p = probabilities(op, adjoints);
  Term weights = contract(g, v, valueAxes(op)); // the adjoint of keep * p
  if (adjoints.needs(op.getKeep()))
    adjoints.addRounded(op.getKeep(), weights * p);
  if (!adjoints.needs(op.getBias()))
    return;
  if (op.getKeep())
    weights = weights * unrounded(op, adjoints, op.getKeep());
  Term rows = sum(g * unrounded(op, adjoints, op.getOutput()), valueAxes(op));
  adjoints.addRounded(op.getBias(), p * (weights - rows));
}

LogicalResult AttentionOp::buildAdjoints(Adjoints &adjoints) {
  if (adjoints.of(getLog2sumexp()))
    return emitOpError("has no second derivative; disable recognize-attention");
  Value g = adjoints.of(getOutput());
  if (adjoints.needs(getQ()) || adjoints.needs(getK()) || adjoints.needs(getV())) {
    auto gradient =
        AttentionGradientOp::create(adjoints.builder, adjoints.location, getQ(), getK(), getV(),
                                    getBias(), getMask(), getKeep(), getOutput(), getLog2sumexp(),
                                    g, getDepth(), getKey(), getScale(), getFactorsAttr());
    adjoints.add(getQ(), gradient.getDq());
    adjoints.add(getK(), gradient.getDk());
    adjoints.add(getV(), gradient.getDv());
  }
  if (adjoints.needs(getBias()) || adjoints.needs(getKeep()))
    addScoreAdjoints(*this, adjoints, g);
  return success();
}
