// Attention for one element of the shared axes and a block of queries. Vectors lie along the
// queries: scores are [key][query], so that softmax needs no sums across lanes, keys and values are
// read where they lie, and only the block's own queries are transposed. Every sum runs over the
// keys in ascending order and hidden keys add 0, so that neither the block nor padding changes a
// bit.
//
// Blocks are rounded up to whole vectors and tiles: rows and keys beyond the end repeat the last
// one, and nobody reads what comes of them.

#include "codegen/halide/Math.h"
#include "codegen/halide/ops/AttentionAxes.h"
#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Rows.h"

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
  for (const ir::Axis &axis : vType.getAxes())
    if (axis.name != key && !qType.has(axis.name))
      values.push_back(axis.name.str());
  bool regular = queries.size() == 1 && values.size() == 1 && qType.has(depth) && kType.has(key) &&
                 vType.has(key) && kType.rank() == axes.shared.size() + 2;
  if (!regular)
    return std::nullopt;
  axes.query = queries.front();
  axes.value = values.front();
  return axes;
}

namespace {
template <typename Op> class Blocks {
public:
  Blocks(Op op, LoweredRegion &region)
      : op(op), region(region), axes(*attentionAxes(op)),
        queries(region.extentOf(ir::tensorType(op.getQ()), {axes.query})),
        keys(region.extentOf(ir::tensorType(op.getK()), {axes.key})),
        scale(op.getScale().convertToDouble()) {}

  Op op;
  LoweredRegion &region;
  AttentionAxes axes;
  Expr queries, keys; // extents in this block
  float scale;

  /// The named axes, innermost first, inside the shared ones.
  std::vector<AxisList> dimensions(std::initializer_list<std::string> inner) const {
    std::vector<AxisList> result;
    for (const std::string &axis : inner)
      result.push_back({axis});
    for (const std::string &axis : axes.shared)
      result.push_back({axis});
    return result;
  }

  Stage &part(StringRef role, std::vector<AxisList> dimensions,
              const LoweredRegion::Definition &element) {
    Stage &stage = region.newStage(op, role, std::move(dimensions));
    stage.func(stage.variables) = element(coordinates(stage));
    return stage;
  }

  /// Sums along an axis of this extent, in ascending order.
  Stage &sum(StringRef role, std::vector<AxisList> dimensions, const std::string &axis, Expr extent,
             const LoweredRegion::Definition &element) {
    Stage &stage = startReduction(role, std::move(dimensions), 0.0f, extent);
    stage.func(stage.variables) += element(coordinates(stage).with(axis, stage.domain.x));
    return stage;
  }

  Stage &maximum(StringRef role, std::vector<AxisList> dimensions, const std::string &axis,
                 Expr extent, const LoweredRegion::Definition &element) {
    Stage &stage = startReduction(role, std::move(dimensions), lowestScore, extent);
    stage.func(stage.variables) = Halide::max(
        stage.func(stage.variables), element(coordinates(stage).with(axis, stage.domain.x)));
    return stage;
  }

  Coordinates insideQueries(const Coordinates &c) const {
    return c.with(axes.query, Halide::min(Halide::likely(c[axes.query]), queries - 1));
  }
  Coordinates insideKeys(const Coordinates &c) const {
    return existing(c.with(axes.key, Halide::min(c[axes.key], keys - 1)));
  }
  /// Where an entry of a ragged batch has no key at all, nothing is read, but Halide wants to see
  /// that.
  Coordinates existing(const Coordinates &c) const {
    return region.plan.entries.empty() ? c : c.with(axes.key, Halide::max(c[axes.key], 0));
  }
  Coordinates inside(const Coordinates &c) const {
    return insideKeys(c.with(axes.query, Halide::min(c[axes.query], queries - 1)));
  }

  /// The block's rows of q or of the gradient, with vectors along the rows. Where `axis` is whole
  /// vectors, they are read as they lie, and transposed from there.
  Stage &transposed(StringRef role, Value rows, const std::string &axis, float factor) {
    LoweredRegion::Definition element = [&](const Coordinates &c) {
      return floatAt(rows, insideQueries(c), region) * factor;
    };
    std::optional<int64_t> length = region.fixedExtent({axis});
    if (length && *length % region.target.traits.vectorLanes == 0) {
      Stage &read = part("rows_of_" + role.str(), dimensions({axis, axes.query}), element);
      element = [&read](const Coordinates &c) { return read.at(c); };
    }
    return part(role, dimensions({axes.query, axis}), element);
  }

  /// sum over `axis` of rows[query, axis] * columns[key, axis]
  Stage &product(StringRef role, Stage &rows, Value columns, const std::string &axis) {
    Expr extent = region.extentOf(ir::tensorType(columns), {axis});
    return sum(role, dimensions({axes.query, axes.key}), axis, extent, [&](const Coordinates &c) {
      return rows.at(c) * floatAt(columns, insideKeys(c), region);
    });
  }

  Expr biased(Expr score, const Coordinates &c) {
    return op.getBias() ? score + floatAt(op.getBias(), inside(c), region) : score;
  }
  Expr masked(Expr value, float hidden, const Coordinates &c) {
    return op.getMask() ? Halide::select(region.at(op.getMask(), inside(c)), value, hidden) : value;
  }
  Expr kept(Expr value, const Coordinates &c) {
    return op.getKeep() ? value * floatAt(op.getKeep(), inside(c), region) : value;
  }

private:
  Coordinates coordinates(const Stage &stage) const {
    return region.coordinatesOf(stage.dimensions, stage.variables);
  }

  Stage &startReduction(StringRef role, std::vector<AxisList> dimensions, float initial,
                        Expr extent) {
    Stage &stage = region.newStage(op, role, std::move(dimensions));
    stage.domain = Halide::RDom({{0, extent}}, region.uniqueName("domain"));
    stage.func(stage.variables) = initial;
    return stage;
  }
};

void lower(ir::AttentionOp op, LoweredRegion &region) {
  Blocks<ir::AttentionOp> blocks(op, region);
  const AttentionAxes &axes = blocks.axes;
  auto scores = blocks.dimensions({axes.query, axes.key}), rows = blocks.dimensions({axes.query});

  Stage &queries = blocks.transposed("queries", op.getQ(), axes.depth, blocks.scale);
  Stage &product = blocks.product("score_product", queries, op.getK(), axes.depth);
  Stage &score = blocks.part("score", scores, [&](const Coordinates &c) {
    return blocks.masked(blocks.biased(product.at(c), c), lowestScore, c);
  });
  Stage &largest = blocks.maximum("largest", rows, axes.key, blocks.keys,
                                  [&](const Coordinates &c) { return score.at(c); });
  Stage &power = blocks.part("power", scores, [&](const Coordinates &c) {
    Expr visible = score.at(c) > lowestScore / 2;
    return Halide::select(visible, expOf(score.at(c) - largest.at(c)), 0.0f);
  });
  Stage &total = blocks.sum("total", rows, axes.key, blocks.keys,
                            [&](const Coordinates &c) { return power.at(c); });
  Stage *weight = &power;
  if (op.getKeep())
    weight = &blocks.part("weight", scores,
                          [&](const Coordinates &c) { return blocks.kept(power.at(c), c); });
  Stage &inverse = blocks.part("inverse", rows, [&](const Coordinates &c) {
    return Halide::select(total.at(c) > 0.0f, 1.0f / total.at(c), 0.0f);
  });
  Stage &normalizer = blocks.part("normalizer", rows, [&](const Coordinates &c) {
    Expr safe = Halide::select(total.at(c) > 0.0f, total.at(c), 1.0f);
    return Halide::select(total.at(c) > 0.0f, largest.at(c) + logOf(safe), 0.0f);
  });
  Stage &values =
      blocks.part("values", blocks.dimensions({axes.value, axes.key}), [&](const Coordinates &c) {
        return floatAt(op.getV(), blocks.existing(c), region);
      });
  Stage &sum =
      blocks.sum("weighted_sum", blocks.dimensions({axes.value, axes.query}), axes.key, blocks.keys,
                 [&](const Coordinates &c) { return weight->at(c) * values.at(c); });
  region.define(op.getOutput(), [&](const Coordinates &c) { return sum.at(c) * inverse.at(c); });
  region.define(op.getLogsumexp(), [&](const Coordinates &c) { return normalizer.at(c); });
}

/// One of the two values of `slopes`.
Expr valueOf(const Stage &stage, const Coordinates &c, int index) {
  std::vector<Expr> arguments;
  for (const AxisList &dimension : stage.dimensions)
    arguments.push_back(c[dimension]);
  return stage.func(arguments)[index];
}

// P = exp(s - logsumexp); W = keep * P; dP = keep * (dC v^T); D = rowsum(dC * C); dS = scale * P *
// (dP - D) dq = dS k; dk = dS^T q and dv = W^T dC, of this block of queries: the kernel's loop adds
// blocks up.
void lower(ir::AttentionGradientOp op, LoweredRegion &region) {
  Blocks<ir::AttentionGradientOp> blocks(op, region);
  const AttentionAxes &axes = blocks.axes;
  auto scores = blocks.dimensions({axes.query, axes.key}), rows = blocks.dimensions({axes.query});

  Stage &queries = blocks.transposed("queries", op.getQ(), axes.depth, blocks.scale);
  Stage &gradients = blocks.transposed("gradients", op.getGradient(), axes.value, 1.0f);
  Stage &normalizer = blocks.part("normalizer", rows, [&](const Coordinates &c) {
    return floatAt(op.getLogsumexp(), blocks.insideQueries(c), region);
  });
  Expr values = region.extentOf(ir::tensorType(op.getV()), {axes.value});
  int32_t lanes = region.target.traits.vectorLanes;
  const std::string lane = "lane_of_row_sum";
  Stage &laneSum = blocks.sum(
      "lane_sum", blocks.dimensions({lane, axes.query}), axes.value, values / lanes,
      [&](const Coordinates &c) {
        Coordinates place =
            blocks.insideQueries(c.with(axes.value, c[axes.value] * lanes + c[lane]));
        return floatAt(op.getGradient(), place, region) * floatAt(op.getOutput(), place, region);
      });
  Stage &rowSum =
      blocks.sum("row_sum", rows, lane, lanes, [&](const Coordinates &c) { return laneSum.at(c); });
  Stage &product = blocks.product("score_product", queries, op.getK(), axes.depth);
  Stage &gradientProduct = blocks.product("gradient_product", gradients, op.getV(), axes.value);

  Stage &slopes = region.newStage(op, "slopes", scores);
  Coordinates c = region.coordinatesOf(slopes.dimensions, slopes.variables);
  Expr weight = blocks.masked(expOf(blocks.biased(product.at(c), c) - normalizer.at(c)), 0.0f, c);
  Expr slope = weight * (blocks.kept(gradientProduct.at(c), c) - rowSum.at(c)) * blocks.scale;
  slopes.func(slopes.variables) = Halide::Tuple(blocks.kept(weight, c), slope);

  region.bind(op.getDq(), blocks.sum("dq", blocks.dimensions({axes.depth, axes.query}), axes.key,
                                     blocks.keys, [&](const Coordinates &c) {
                                       return valueOf(slopes, c, 1) *
                                              floatAt(op.getK(), blocks.existing(c), region);
                                     }));
  region.bind(op.getDk(), blocks.sum("dk", blocks.dimensions({axes.depth, axes.key}), axes.query,
                                     blocks.queries, [&](const Coordinates &c) {
                                       return valueOf(slopes, c, 1) * floatAt(op.getQ(), c, region);
                                     }));
  region.bind(op.getDv(), blocks.sum("dv", blocks.dimensions({axes.value, axes.key}), axes.query,
                                     blocks.queries, [&](const Coordinates &c) {
                                       return valueOf(slopes, c, 0) *
                                              floatAt(op.getGradient(), c, region);
                                     }));
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
