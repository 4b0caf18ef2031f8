// Attention and its gradient: one element of the shared axes (batch, heads) and a block of queries
// at a time.
//
// 1. The runtime loops over shared axes, in parallel, and over blocks of queries: in parallel
//    forward; backward one after the other, because each adds to dk and dv.
// 2. The block's queries are transposed, so that vectors lie along queries.
// 3. Scores of the block with all keys are computed in register tiles and held in scratch memory
//    [key][query]; nothing of the size [query, key] is ever in the arena.
// 4. Softmax runs down the columns.
// 5. Where the mask is causal, a block knows no key behind its last query: half of the work.
// 6. Results are sums over keys (or over the block's queries) in register tiles. Forward, the
//    values are copied first: where they lie, the other heads are between their rows, and few sets
//    of the cache would have to hold them all.
//
// Test: tests/codegen/halide/AttentionTest.cpp.

#include "codegen/halide/schedules/AttentionPlan.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

namespace {
/// The shape of a register tile.
struct Tile {
  int lanes, vectors, rows;
};

/// Rows of a tile that leave registers for operands, where `products` are summed at once.
Tile tileFor(const Target &target, int products) {
  int registers = target.traits.vectorRegisters;
  return {int(target.traits.vectorLanes), 2, std::max(1, registers / (4 * products))};
}

/// A result's innermost axis is walked by whole vectors; two at a time where that divides it.
bool isWholeVectors(ir::NamedTensorType type, StringRef axis, const Target &target) {
  ir::SizeAttr size = type.sizeOf(axis);
  return size.getSymbols().empty() && size.getFactor() % target.traits.vectorLanes == 0;
}

Var variableOf(const Stage &stage, const std::string &axis) {
  for (auto [dimension, variable] : llvm::zip(stage.dimensions, stage.variables))
    if (dimension == AxisList{axis})
      return variable;
  llvm_unreachable("the stage lacks this axis");
}

/// Functions of the block's queries: vectors along them.
void alongQueries(Stage &stage, const AttentionAxes &axes, int lanes) {
  Var query = variableOf(stage, axes.query);
  stage.func.compute_root().vectorize(query, lanes, TailStrategy::RoundUp);
  if (stage.func.has_update_definition())
    stage.func.update()
        .reorder(query, stage.domain.x)
        .vectorize(query, lanes, TailStrategy::RoundUp);
}

/// Rows transposed to [axis][query]: squares of vectors at a time, where the axis is whole vectors.
void transpose(Stage &stage, LoweredRegion &region, const AttentionAxes &axes, int lanes) {
  Var outer("query_vector_of_transposed"), block("square_of_transposed");
  Var query = variableOf(stage, axes.query), axis = stage.variables[1];
  stage.func.compute_root().split(query, outer, query, lanes, TailStrategy::RoundUp);
  Stage *rows = region.find(stage.op, "rows_of_" + stage.role);
  if (!rows) {
    stage.func.reorder(query, axis, outer)
        .vectorize(query)
        .unroll(axis, 4, TailStrategy::GuardWithIf);
    return;
  }
  stage.func.split(axis, block, axis, lanes)
      .reorder(query, axis, block, outer)
      .vectorize(query)
      .unroll(axis);
  rows->func.compute_at(stage.func, block)
      .vectorize(rows->variables[0], lanes)
      .unroll(rows->variables[1]);
}

/// The sums that one tile of `at` needs, in registers.
void sumInRegisters(Stage &sum, Func at, const Var &level, int width, int rows, int lanes) {
  Var x = sum.variables[0], y = sum.variables[1];
  sum.func.bound_extent(x, width).bound_extent(y, rows);
  sum.func.compute_at(at, level)
      .store_in(Halide::MemoryType::Register)
      .vectorize(x, lanes)
      .unroll(x)
      .unroll(y)
      .update()
      .reorder(x, y, sum.domain.x)
      .vectorize(x, lanes)
      .unroll(x)
      .unroll(y);
}

/// Scores, with the products that they are made of.
void scheduleScores(Stage &scores, std::initializer_list<Stage *> products,
                    const AttentionAxes &axes, Tile tile) {
  Var query = variableOf(scores, axes.query), key = variableOf(scores, axes.key);
  Var queryInTile("query_in_tile_of_scores"), keyInTile("key_in_tile_of_scores");
  int width = tile.lanes * tile.vectors;
  scores.func.compute_root()
      .tile(query, key, queryInTile, keyInTile, width, tile.rows, TailStrategy::RoundUp)
      .vectorize(queryInTile, tile.lanes)
      .unroll(queryInTile)
      .unroll(keyInTile);
  for (Stage *product : products)
    sumInRegisters(*product, scores.func, query, width, tile.rows, tile.lanes);
}

/// A result [.., row, .., column] from sums in registers.
void scheduleResult(Stage &output, Stage &sum, const std::string &column, const std::string &row,
                    ir::NamedTensorType type, Tile tile) {
  Var x = variableOf(output, column), y = variableOf(output, row);
  Var xInTile("column_in_tile_of_result"), yInTile("row_in_tile_of_result");
  int width = tile.lanes * (type.sizeOf(column).getFactor() % (2 * tile.lanes) == 0 ? 2 : 1);
  output.func.tile(x, y, xInTile, yInTile, width, tile.rows, TailStrategy::GuardWithIf);
  std::vector<Halide::VarOrRVar> order = {xInTile, yInTile, x, y};
  for (const Var &variable : output.variables)
    if (variable.name() != x.name() && variable.name() != y.name())
      order.push_back(variable);
  output.func.reorder(order).vectorize(xInTile, tile.lanes).unroll(xInTile).unroll(yInTile);
  sumInRegisters(sum, output.func, x, width, tile.rows, tile.lanes);
}

bool isSingle(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    Type element = ir::tensorType(value).getElementType();
    return element.isF32() || element.isInteger(1);
  });
}

class Attention : public Family {
public:
  llvm::StringRef name() const override { return "attention"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override {
    auto op = onlyAttention<ir::AttentionOp>(kernel);
    std::optional<AttentionAxes> axes = op ? attentionAxes(op) : std::nullopt;
    if (!axes || !isSingle(op->getOperands()) || !resultOf(op.getOutput(), kernel) ||
        !isWholeVectors(ir::tensorType(op.getV()), axes->value, target))
      return std::nullopt;
    return planAttention(kernel, *axes, op.getMask(), name(), /*parallel=*/true);
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    auto op = onlyAttention<ir::AttentionOp>(region.kernel);
    AttentionAxes axes = *attentionAxes(op);
    Tile tile = tileFor(region.target, 1);
    transpose(*region.find(op, "queries"), region, axes, tile.lanes);
    scheduleScores(*region.find(op, "score"), {region.find(op, "score_product")}, axes, tile);
    for (const char *role : {"largest", "power", "total", "weight", "inverse", "normalizer"})
      if (Stage *stage = region.find(op, role))
        alongQueries(*stage, axes, tile.lanes);
    Stage &values = *region.find(op, "values");
    values.func.compute_root().vectorize(values.variables[0], tile.lanes);
    scheduleResult(*region.outputs[*resultOf(op.getOutput(), region.kernel)].stage,
                   *region.find(op, "weighted_sum"), axes.value, axes.query,
                   ir::tensorType(op.getOutput()), tile);
  }
};

class AttentionGradient : public Family {
public:
  llvm::StringRef name() const override { return "attention_gradient"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override {
    auto op = onlyAttention<ir::AttentionGradientOp>(kernel);
    std::optional<AttentionAxes> axes = op ? attentionAxes(op) : std::nullopt;
    if (!axes || !isSingle(op->getOperands()) ||
        !isWholeVectors(ir::tensorType(op.getV()), axes->value, target) ||
        !isWholeVectors(ir::tensorType(op.getK()), axes->depth, target))
      return std::nullopt;
    auto plan = planAttention(kernel, *axes, op.getMask(), name(), /*parallel=*/false);
    if (plan)
      for (Value sum : {op.getDk(), op.getDv()})
        if (auto result = resultOf(sum, kernel))
          plan->accumulated.push_back(*result);
    return plan;
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    auto op = onlyAttention<ir::AttentionGradientOp>(region.kernel);
    AttentionAxes axes = *attentionAxes(op);
    Tile tile = tileFor(region.target, 1), pair = tileFor(region.target, 2);
    for (const char *role : {"queries", "gradients"})
      transpose(*region.find(op, role), region, axes, tile.lanes);
    Stage &lanes = *region.find(op, "lane_sum");
    lanes.func.compute_root().vectorize(lanes.variables[0], tile.lanes);
    lanes.func.update()
        .reorder(lanes.variables[0], lanes.domain.x, lanes.variables[1])
        .vectorize(lanes.variables[0], tile.lanes);
    for (const char *role : {"normalizer", "row_sum"})
      alongQueries(*region.find(op, role), axes, tile.lanes);
    scheduleScores(*region.find(op, "slopes"),
                   {region.find(op, "score_product"), region.find(op, "gradient_product")}, axes,
                   pair);
    auto result = [&](Value value, StringRef role, const std::string &column,
                      const std::string &row) {
      if (auto index = resultOf(value, region.kernel))
        scheduleResult(*region.outputs[*index].stage, *region.find(op, role), column, row,
                       ir::tensorType(value), tile);
    };
    result(op.getDq(), "dq", axes.depth, axes.query);
    result(op.getDk(), "dk", axes.depth, axes.key);
    result(op.getDv(), "dv", axes.value, axes.key);
  }
};
} // namespace

const Family &codegen::attentionFamily() {
  static const Attention family;
  return family;
}

const Family &codegen::attentionGradientFamily() {
  static const AttentionGradient family;
  return family;
}
