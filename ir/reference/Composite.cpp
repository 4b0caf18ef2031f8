// What the composites mean: a few passes over all points, each accumulating into smaller arrays.

#include "ir/reference/Evaluation.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace axloom::ir::reference {
static LogicalResult compute(SoftmaxOp op, Evaluation &e) {
  const Array *mask = e.optional(op.getMask());
  Array &y = e.result();
  const Space &all = y.space;
  Array allVisible(1.0);
  Array largest = e.zerosWithout(all, {op.getAxis()}), sum = largest;
  llvm::fill(largest.values, -std::numeric_limits<double>::infinity());

  Read x(e.operand(op.getX()), all), visible(mask ? *mask : allVisible, all);
  Write m(largest, all), s(sum, all), to(y, all);
  all.forEach([&](Point p) { m[p] = visible[p] ? std::max(m[p], x[p]) : m[p]; });
  all.forEach([&](Point p) { s[p] += visible[p] ? std::exp(x[p] - m[p]) : 0; });
  all.forEach([&](Point p) { to[p] = visible[p] ? std::exp(x[p] - m[p]) / s[p] : 0; });
  return success();
}

static LogicalResult compute(LayerNormOp op, Evaluation &e) {
  const Array &operand = e.operand(op.getX());
  const Space &all = operand.space;
  Array one(1.0), zero(0.0);
  const Array *scaleArray = e.optional(op.getScale()), *offsetArray = e.optional(op.getOffset());
  Read scale(scaleArray ? *scaleArray : one, all);
  Read offset(offsetArray ? *offsetArray : zero, all);
  Array counts(e.result(1).space);

  Read x(operand, all);
  Write y(e.result(0), all), mean(e.result(1), all), rstd(e.result(2), all), n(counts, all);
  all.forEach([&](Point p) { n[p] += 1; });
  all.forEach([&](Point p) { mean[p] += x[p] / n[p]; });
  all.forEach([&](Point p) { rstd[p] += (x[p] - mean[p]) * (x[p] - mean[p]) / n[p]; });
  e.result(2).space.forEach([&, row = Write(e.result(2), e.result(2).space)](Point p) {
    row[p] = 1 / std::sqrt(row[p] + op.getEpsilon().convertToDouble());
  });
  all.forEach([&](Point p) { y[p] = (x[p] - mean[p]) * rstd[p] * scale[p] + offset[p]; });
  return success();
}

/// Cross entropy of logits: [tokens.., classes] against labels: [tokens..].
struct ClassLoss {
  Array loss;   // [tokens..]
  Array excess; // softmax - target, the gradient with respect to the logits: [tokens.., classes]
};

static FailureOr<ClassLoss> classLoss(Operation *op, Evaluation &e, const Array &logits,
                                      const Array &labels, StringRef axis, double smoothing) {
  const Space &all = logits.space;
  int64_t position = all.position(axis), classes = all.extents()[position];
  LogicalResult inside = success();
  labels.space.forEach([&, label = Read(labels, labels.space)](Point p) {
    if (succeeded(inside) && (label[p] < 0 || label[p] >= classes))
      inside = op->emitError("label ")
               << static_cast<int64_t>(label[p]) << " is outside the classes of axis '" << axis
               << "' of size " << classes;
  });
  if (failed(inside))
    return failure();

  ClassLoss found{e.zerosWithout(all, {axis}), Array(all)};
  Array largest(found.loss.space), sum(found.loss.space);
  llvm::fill(largest.values, -std::numeric_limits<double>::infinity());
  Read x(logits, all), label(labels, all);
  Write m(largest, all), s(sum, all), loss(found.loss, all), excess(found.excess, all);
  all.forEach([&](Point p) { m[p] = std::max(m[p], x[p]); });
  all.forEach([&](Point p) { s[p] += std::exp(x[p] - m[p]); });
  all.forEach([&](Point p) {
    double target = (p[position] == label[p] ? 1 - smoothing : 0) + smoothing / classes;
    double logProbability = x[p] - m[p] - std::log(s[p]);
    loss[p] -= target * logProbability;
    excess[p] = std::exp(logProbability) - target;
  });
  return found;
}

static LogicalResult compute(CrossEntropyOp op, Evaluation &e) {
  FailureOr<ClassLoss> found =
      classLoss(op, e, e.operand(op.getLogits()), e.operand(op.getLabels()), op.getAxis(),
                op.getSmoothing().convertToDouble());
  if (failed(found))
    return failure();
  e.result().values = found->loss.values;
  return success();
}

static LogicalResult compute(LinearCrossEntropyOp op, Evaluation &e) {
  Array input = factorsOf(e.operand(op.getX()), op.getFactors());
  Array weight = factorsOf(e.operand(op.getW()), op.getFactors());
  Space all = e.unionOf({&input, &weight}); // [tokens.., model, classes]
  Array logits = e.zerosWithout(all, {op.getModel()});
  Read x(input, all), w(weight, all);
  Write logit(logits, all);
  all.forEach([&](Point p) { logit[p] += x[p] * w[p]; });

  FailureOr<ClassLoss> found = classLoss(op, e, logits, e.operand(op.getLabels()), op.getClasses(),
                                         op.getSmoothing().convertToDouble());
  if (failed(found))
    return failure();

  const Space &tokens = found->loss.space;
  Read perToken(found->loss, tokens), tokenWeight(e.operand(op.getWeights()), tokens);
  double &loss = e.result(0).values[0];
  tokens.forEach([&](Point p) {
    if (tokenWeight[p] != 0) // a hidden token's loss may be no number
      loss += tokenWeight[p] * perToken[p];
  });
  Array slopes = found->excess; // [tokens.., classes]
  Read rowWeight(e.operand(op.getWeights()), slopes.space);
  slopes.space.forEach(
      [&, slope = Write(slopes, slopes.space)](Point p) { slope[p] *= rowWeight[p]; });
  slopes = factorsOf(slopes, op.getFactors());
  Read slope(slopes, all);
  Write dx(e.result(1), all), dw(e.result(2), all);
  all.forEach([&](Point p) { dx[p] += slope[p] * w[p]; });
  all.forEach([&](Point p) { dw[p] += slope[p] * x[p]; });
  return success();
}

void attachComposite(MLIRContext *context) {
  attach<SoftmaxOp, LayerNormOp, CrossEntropyOp, LinearCrossEntropyOp>(context);
}
} // namespace axloom::ir::reference
