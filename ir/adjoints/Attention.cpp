// Adjoints of attention: q, k and v get theirs from attention_gradient, which never holds all
// scores. A bias or keep factor that needs one (rare: learned position biases) gets it from scores
// made again in the graph.

#include "ir/Dialect.h"

#include <numbers>

using namespace mlir;
using namespace axloom::ir;

/// The probabilities before dropout, exp(scores) / 2^log2sumexp, 0 where hidden: [.., query, key].
static Term probabilities(AttentionOp op, Adjoints &adjoints) {
  Term scores = contract(adjoints.term(op.getQ()), adjoints.term(op.getK()), op.getDepthAttr()) *
                op.getScale().convertToDouble();
  if (op.getBias())
    scores = scores + adjoints.term(op.getBias());
  Term sums = adjoints.term(op.getLog2sumexp());
  scores = converted(scores, sums.type().getElementType());
  Term shown =
      converted(exp(scores - sums * std::numbers::ln2), tensorType(op.getQ()).getElementType());
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

static void addScoreAdjoints(AttentionOp op, Adjoints &adjoints, Term g) {
  Term p = probabilities(op, adjoints);
  Term weights = contract(g, adjoints.term(op.getV()), valueAxes(op)); // the adjoint of keep * p
  if (adjoints.needs(op.getKeep()))
    adjoints.add(op.getKeep(), weights * p);
  if (!adjoints.needs(op.getBias()))
    return;
  if (op.getKeep())
    weights = weights * adjoints.term(op.getKeep());
  Term rows = sum(g * adjoints.term(op.getOutput()), valueAxes(op));
  adjoints.add(op.getBias(), p * (weights - rows));
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
    addScoreAdjoints(*this, adjoints, adjoints.term(g));
  return success();
}
