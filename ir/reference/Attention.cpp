// What attention and its gradient mean.

#include "ir/reference/Evaluation.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;

namespace axloom::ir::reference {
namespace {
/// What both ops compute first. scores: [.., query, key]
struct Scores {
  Array values;  // scale * q k^T + bias
  Array visible; // 1 where the mask shows the score
  Array keep;    // the factor of each weight
};
} // namespace

/// A copy of an optional operand over the space of the scores.
static Array spread(const Array *operand, double otherwise, const Space &space) {
  Array copy(space);
  Array absent(otherwise);
  Read from(operand ? *operand : absent, space);
  Write to(copy, space);
  space.forEach([&](Point p) { to[p] = from[p]; });
  return copy;
}

template <typename Op> static Scores scoresOf(Op op, Evaluation &e) {
  Array queries = factorsOf(e.operand(op.getQ()), op.getFactors());
  Array keys = factorsOf(e.operand(op.getK()), op.getFactors());
  Space products = e.unionOf({&queries, &keys}); // [.., query, key, depth]
  Space scores = e.zerosWithout(products, {op.getDepth()}).space;
  Scores found{spread(e.optional(op.getBias()), 0, scores),
               spread(e.optional(op.getMask()), 1, scores),
               spread(e.optional(op.getKeep()), 1, scores)};
  Read q(queries, products), k(keys, products);
  Write s(found.values, products);
  double scale = op.getScale().convertToDouble();
  products.forEach([&](Point p) { s[p] += scale * q[p] * k[p]; });
  return found;
}

static LogicalResult compute(AttentionOp op, Evaluation &e) {
  Scores scores = scoresOf(op, e);
  const Space &all = scores.values.space;
  Array largest(e.result(1).space), sum(e.result(1).space);
  llvm::fill(largest.values, -std::numeric_limits<double>::infinity());
  Read s(scores.values, all), visible(scores.visible, all), keep(scores.keep, all);
  Write m(largest, all), total(sum, all), log2sumexp(e.result(1), all);
  all.forEach([&](Point p) { m[p] = visible[p] ? std::max(m[p], s[p]) : m[p]; });
  all.forEach([&](Point p) { total[p] += visible[p] ? std::exp(s[p] - m[p]) : 0; });
  all.forEach([&](Point p) {
    log2sumexp[p] = total[p] > 0 ? m[p] * std::numbers::log2e + std::log2(total[p]) : 0;
  });

  Array weights(all); // not yet divided by their sum
  Write weight(weights, all);
  all.forEach([&](Point p) { weight[p] = visible[p] ? keep[p] * std::exp(s[p] - m[p]) : 0; });
  weights = factorsOf(weights, op.getFactors());
  Array values = factorsOf(e.operand(op.getV()), op.getFactors());
  Space mixed = e.unionOf({&weights, &values}); // [.., query, key, value]
  Read w(weights, mixed), v(values, mixed), divisor(sum, mixed);
  Write context(e.result(0), mixed);
  mixed.forEach([&](Point p) { context[p] += divisor[p] > 0 ? w[p] * v[p] / divisor[p] : 0; });
  return success();
}

static LogicalResult compute(AttentionGradientOp op, Evaluation &e) {
  Scores scores = scoresOf(op, e);
  const Space &all = scores.values.space;
  const Array &gradient = e.operand(op.getGradient());
  double scale = op.getScale().convertToDouble();

  // D = rowsum(dC * context): [.., query]
  const Array &contextArray = e.operand(op.getOutput());
  Array rows(e.operand(op.getLog2sumexp()).space);
  Read dC(gradient, contextArray.space), context(contextArray, contextArray.space);
  Write rowsum(rows, contextArray.space);
  contextArray.space.forEach([&](Point p) { rowsum[p] += dC[p] * context[p]; });

  // P = exp(s) / 2^log2sumexp, W = keep * P, dP = keep * (dC v^T), dS = scale * P * (dP - D)
  Array p(all), w(all), dP(all), dS(all);
  Read s(scores.values, all), visible(scores.visible, all), keep(scores.keep, all);
  Read log2sumexp(e.operand(op.getLog2sumexp()), all), d(rows, all);
  Write probability(p, all), weight(w, all), dProbability(dP, all), dScore(dS, all);
  all.forEach([&](Point i) {
    probability[i] = visible[i] ? std::exp(s[i] - log2sumexp[i] * std::numbers::ln2) : 0;
    weight[i] = keep[i] * probability[i];
  });
  w = factorsOf(w, op.getFactors());
  Array values = factorsOf(e.operand(op.getV()), op.getFactors());
  Array slopes = factorsOf(gradient, op.getFactors());
  Space mixed = e.unionOf({&w, &values}); // [.., query, key, value]
  Read mixedDC(slopes, mixed), v(values, mixed), mixedW(w, mixed);
  Write mixedDP(dP, mixed);
  mixed.forEach([&](Point i) { mixedDP[i] += mixedDC[i] * v[i]; });
  all.forEach(
      [&](Point i) { dScore[i] = scale * probability[i] * (keep[i] * dProbability[i] - d[i]); });
  dS = factorsOf(dS, op.getFactors());

  // dq = dS k; dk = dS^T q; dv = W^T dC
  Array queries = factorsOf(e.operand(op.getQ()), op.getFactors());
  Array keys = factorsOf(e.operand(op.getK()), op.getFactors());
  Space products = e.unionOf({&queries, &keys}); // [.., query, key, depth]
  Read q(queries, products), k(keys, products), ds(dS, products);
  Write dq(e.result(0), products), dk(e.result(1), products), dv(e.result(2), mixed);
  products.forEach([&](Point i) { dq[i] += ds[i] * k[i]; });
  products.forEach([&](Point i) { dk[i] += ds[i] * q[i]; });
  mixed.forEach([&](Point i) { dv[i] += mixedW[i] * mixedDC[i]; });
  return success();
}

void attachAttention(MLIRContext *context) { attach<AttentionOp, AttentionGradientOp>(context); }
} // namespace axloom::ir::reference
