// Attention for one element of the shared axes and a block of queries. Vectors lie along the
// queries: scores are [key][query], so that softmax needs no sums across lanes, and only the
// block's own queries are transposed. Every sum runs over the keys in ascending order and hidden
// keys add 0, so that neither the block nor padding changes a bit.
//
// Blocks, and forward their strips, are rounded up to whole vectors and tiles: rows and keys beyond
// the end repeat the last one, and nobody reads what comes of them.

#include "codegen/KernelInfo.h"
#include "codegen/halide/Math.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/AttentionParts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;

std::optional<AttentionAxes> codegen::attentionAxes(Value q, Value k, Value v, StringRef depth,
                                                    StringRef key) {
  auto qType = ir::tensorType(q), kType = ir::tensorType(k), vType = ir::tensorType(v);
  AttentionAxes axes{.key = key.str(), .depth = depth.str()};
  std::vector<std::string> queries, values;
  for (const ir::Axis &axis : qType.getAxes()) {
    if (axis.name == depth)
      continue;
    (kType.has(axis.name) ? axes.shared : queries).push_back(axis.name.str());
    if (kType.has(axis.name) != vType.has(axis.name))
      return std::nullopt;
  }
  // Values may have their elements along the axis of queries and keys: no product has both.
  auto isDepth = [&](const ir::Axis &axis) {
    return axis.name == depth && qType.has(depth) && qType.sizeOf(depth) == axis.size();
  };
  for (const ir::Axis &axis : vType.getAxes())
    if (axis.name != key && (!qType.has(axis.name) || isDepth(axis)))
      values.push_back(axis.name.str());
  bool regular = queries.size() <= 1 && values.size() == 1 && qType.has(depth) && kType.has(key) &&
                 vType.has(key) && kType.rank() == axes.shared.size() + 2;
  if (!regular)
    return std::nullopt;
  axes.query = queries.empty() ? "" : queries.front();
  axes.value = values.front();
  return axes;
}

namespace {
/// Whether rows of a value lie one behind the other. Where other heads lie between them, few sets
/// of a cache would have to hold them all.
bool liesInRows(Value value, const std::string &row, LoweredRegion &region) {
  auto input = llvm::dyn_cast<BlockArgument>(value);
  if (!input)
    return false;
  ArrayRef<StringAttr> order = inputLayout(region.kernel, input.getArgNumber()).getOrder();
  return order.size() > 1 && order.drop_back().back() == row;
}

void lower(ir::AttentionOp op, LoweredRegion &region) {
  AttentionParts<ir::AttentionOp> parts(op, region);
  const AttentionAxes &axes = parts.axes;
  auto scores = parts.dimensions({axes.query, axes.key}), rows = parts.dimensions({axes.query});

  bool rounds = parts.pair > 1;
  Expr depths = region.extentOf(ir::tensorType(op.getQ()), {axes.depth});
  auto queries = parts.scaledQueries();
  auto keys = parts.rowFactor(roles::keys, axes.key, axes.depth, depths, [&](const Coordinates &c) {
    return floatAt(op.getK(), parts.insideKeys(c), region);
  });
  Stage &product = parts.product(roles::scoreProduct, scores, axes.depth, depths, keys, queries);
  Stage &score = parts.part(roles::score, scores, [&](const Coordinates &c) {
    return parts.masked(parts.biased(parts.scaledAfter(product.at(c)), c), lowestScore, c);
  });
  // Starts between the scores of hidden keys and all others: hidden keys get power 0 even where a
  // query sees none.
  Stage &largest = parts.maximum(roles::largest, rows, axes.key, parts.keys, lowestScore / 2,
                                 parts.reading(score));
  Stage &power = parts.part(roles::power, scores, [&](const Coordinates &c) {
    return exp2OfNegative(score.at(c) - largest.at(c));
  });
  Stage &total = parts.sum(roles::total, rows, axes.key, parts.keys, parts.reading(power));
  auto weight = parts.reading(power);
  if (op.getKeep())
    weight = parts.reading(parts.part(
        roles::weight, scores, [&](const Coordinates &c) { return parts.kept(power.at(c), c); }));
  Stage &inverse = parts.part(roles::inverse, rows, [&](const Coordinates &c) {
    return Halide::select(total.at(c) > 0.0f, 1.0f / total.at(c), 0.0f);
  });
  Stage &normalizer = parts.part(roles::normalizer, rows, [&](const Coordinates &c) {
    Expr safe = Halide::select(total.at(c) > 0.0f, total.at(c), 1.0f);
    return Halide::select(total.at(c) > 0.0f, plus(largest.at(c), inUnitsOfLog2(logOf(safe))),
                          0.0f);
  });
  if (rounds)
    weight = parts.inPairs(roles::factorsOfWeight, axes.query, axes.key, parts.keys, weight);
  auto values = parts.columnFactor(roles::values, op.getV(), axes.value, axes.key, parts.keys,
                                   /*copied=*/!liesInRows(op.getV(), axes.key, region));
  Stage &sum = parts.product(roles::weightedSum, parts.dimensions({axes.value, axes.query}),
                             axes.key, parts.keys, weight, values);
  region.define(op.getOutput(), [&](const Coordinates &c) { return sum.at(c) * inverse.at(c); });
  region.define(op.getLog2sumexp(), [&](const Coordinates &c) { return normalizer.at(c); });
}

// P = 2^(s - log2sumexp); W = keep * P; dP = keep * (dC v^T); D = rowsum(dC * C); dS = scale * P *
// (dP - D); dq = dS k; dk = dS^T q and dv = W^T dC, of this block of queries: the kernel's loop
// adds blocks up.
void lower(ir::AttentionGradientOp op, LoweredRegion &region) {
  AttentionParts<ir::AttentionGradientOp> parts(op, region);
  const AttentionAxes &axes = parts.axes;
  auto scores = parts.dimensions({axes.query, axes.key}), rows = parts.dimensions({axes.query});

  bool rounds = parts.pair > 1;
  Expr depths = region.extentOf(ir::tensorType(op.getQ()), {axes.depth});
  Expr valueDepths = region.extentOf(ir::tensorType(op.getV()), {axes.value});
  auto queries = parts.scaledQueries();
  auto gradients = parts.transposedFactor(roles::gradients, op.getGradient(), axes.value,
                                          parts.inColumns(op.getGradient(), axes.value));
  auto rowOf = [&](Value value) {
    return [&, value](const Coordinates &c) { return floatAt(value, parts.insideKeys(c), region); };
  };
  auto keys = parts.rowFactor(roles::keys, axes.key, axes.depth, depths, rowOf(op.getK()));
  auto values = parts.rowFactor(roles::values, axes.key, axes.value, valueDepths, rowOf(op.getV()));
  Stage &normalizer = parts.part(roles::normalizer, rows, [&](const Coordinates &c) {
    return floatAt(op.getLog2sumexp(), parts.insideQueries(c), region);
  });
  // Where a query sees one key alone, D is dP to the last bit if it is added up in that order; with
  // rounded factors it is not anyway.
  auto inOrder = [&]() -> Stage & {
    auto outputs =
        parts.transposed(roles::outputs, axes.value, parts.inColumns(op.getOutput(), axes.value));
    return parts.sum(roles::rowSum, rows, axes.value, valueDepths,
                     [&](const Coordinates &c) { return gradients(c) * outputs(c); });
  };
  Stage &rowSum =
      rounds ? parts.sumAlongRows(roles::rowSum, op.getGradient(), op.getOutput(), axes.value)
             : inOrder();
  Stage &product = parts.product(roles::scoreProduct, scores, axes.depth, depths, keys, queries);
  Stage &gradientProduct =
      parts.product(roles::gradientProduct, scores, axes.value, valueDepths, values, gradients);

  Stage &slopes = region.newStage(op, roles::slopes, scores);
  Coordinates c = region.coordinatesOf(slopes.dimensions, slopes.variables);
  Expr scaled = parts.scaledAfter(product.at(c));
  Expr weight = parts.masked(exp2OfNegative(parts.biased(scaled, c) - normalizer.at(c)), 0.0f, c);
  Expr slope = weight * (parts.kept(gradientProduct.at(c), c) - rowSum.at(c)) * parts.scale;
  weight = parts.kept(weight, c);
  slopes.func(slopes.variables) = rounds
                                      ? Halide::Tuple(roundedFactor(weight), roundedFactor(slope))
                                      : Halide::Tuple(weight, slope);
  auto part = [&slopes](int index) {
    return [&slopes, index](const Coordinates &c) { return slopes.at(c, index); };
  };

  LoweredRegion::Definition slopeOfKeys = part(1);
  if (rounds)
    slopeOfKeys =
        parts.inPairs(roles::factorsOfSlopes, axes.query, axes.key, parts.keys, slopeOfKeys);
  region.bind(op.getDq(), parts.product(roles::dq, parts.dimensions({axes.depth, axes.query}),
                                        axes.key, parts.keys, slopeOfKeys,
                                        parts.columnFactor(roles::keyColumns, op.getK(), axes.depth,
                                                           axes.key, parts.keys)));
  region.bind(op.getDk(), parts.product(roles::dk, parts.dimensions({axes.depth, axes.key}),
                                        axes.query, parts.queries, part(1),
                                        parts.columnFactor(roles::queryColumns, op.getQ(),
                                                           axes.depth, axes.query, parts.queries)));
  region.bind(op.getDv(), parts.product(roles::dv, parts.dimensions({axes.value, axes.key}),
                                        axes.query, parts.queries, part(0),
                                        parts.columnFactor(roles::gradientColumns, op.getGradient(),
                                                           axes.value, axes.query, parts.queries)));
}
} // namespace

bool codegen::lowerAttentionBlocks(Operation *op, LoweredRegion &region) {
  if (region.plan.family != "attention" && region.plan.family != "attention_gradient")
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ir::AttentionOp, ir::AttentionGradientOp>([&](auto matched) {
        lower(matched, region);
        return true;
      })
      .Default(false);
}
