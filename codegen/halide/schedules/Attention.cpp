// Attention and its gradient: one element of the shared axes (batch, heads) and a block of queries
// at a time.
//
// 1. The runtime loops over shared axes, in parallel, and over blocks of queries: in parallel
//    forward; backward one after the other, because each adds to dk and dv. Where these are
//    rounded, which they cannot be before they are complete, one block has all queries.
// 2. Forward, a block first copies what cannot be read where it lies: keys and values that are
//    rounded; values that are no whole vectors, or have other heads between their rows, since few
//    sets of the cache would have to hold them all. Then it goes through its queries in strips as
//    wide as a register tile: a strip's scores with thousands of keys fit the private cache.
//    Backward, a block is one strip.
// 3. The strip's queries are transposed, so that vectors lie along queries; pairs of bf16 as one
//    number each.
// 4. Scores of the strip with all keys are computed in register tiles and held in scratch memory
//    [key][query]; nothing of the size [query, key] is ever in the arena.
// 5. Softmax runs down the columns.
// 6. Where the mask is causal, a block knows no key behind its last query: half of the work; in a
//    sliding window, none that its first query cannot reach either, in whole blocks. Where the mask
//    shows keys up to a length or a position, a block knows no others forward. Its scratch memory
//    is as large as for the most keys that a block knows, so that every block takes the same.
// 7. Results are sums over keys or over the block's queries in register tiles; those over keys
//    stretch by stretch, where the target has small tiles (`TargetTraits::keysOfStretch`).
// 8. Rows of inputs, which have those of other heads between them, and what earlier blocks summed
//    are asked for an iteration ahead.
//
// Test: tests/codegen/halide/AttentionTest.cpp.

#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/ops/Transpose.h"
#include "codegen/halide/schedules/AttentionPlan.h"
#include "codegen/halide/schedules/RegisterTile.h"
#include "codegen/halide/schedules/Sums.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::LoopLevel;
using Halide::TailStrategy;
using Halide::Var;

namespace {
/// The loop whose iterations compute one strip of queries each; none: a block is one strip.
using Strips = std::optional<LoopLevel>;

/// Vectors of sums in a tile, at least: fewer wait for the multiply-adds before.
constexpr int leastSums = 8;

/// Rows of a tile that leave registers for operands, where `products` are summed one after the
/// other. Two products of the fewest sums take 16 registers; where there are no more, the sums of
/// the first are put into memory meanwhile.
RegisterTile tileFor(const Target &target, int products) {
  int registers = target.traits.vectorRegisters, lanes = target.traits.vectorLanes;
  return {lanes, 2 * lanes, std::max(leastSums / 2, registers / (4 * products)),
          int(target.traits.termsOfIteration)};
}

/// Whether an axis has a size that is known: then register tiles know how wide they are.
bool isFixed(ir::NamedTensorType type, StringRef axis) { return type.sizeOf(axis).isFixed(); }

/// Whether the machine multiplies factors as the op has them.
template <typename Op> bool hasInstructions(Op op, const Target &target) {
  return !op.getFactors() || target.traits.brainFloatFactors > 0;
}

/// Whether neighbours lie in pairs, as factors of bf16 do; the pair is then the first dimension.
bool isInPairs(const Stage &stage) {
  return stage.dimensions.front() == AxisList{placeInPair.str()};
}

/// Computes a function of queries for those of a strip, or of the whole block where there are no
/// strips. A strip may reach beyond the last query, so that rows of scratch memory are whole
/// vectors.
void computeInStrip(Func func, const Var &query, RegisterTile tile, const Strips &strips) {
  if (strips)
    func.compute_at(*strips).bound_extent(query, tile.width);
  else
    func.compute_root();
}

/// Vectors along one variable; whole pairs of vectors where neighbours lie in pairs.
void vectorizeAlong(Stage &stage, const Var &variable, int lanes) {
  if (isInPairs(stage))
    stage.func.reorder(stage.variables.front(), variable).unroll(stage.variables.front());
  stage.func.vectorize(variable, lanes, TailStrategy::RoundUp);
}

/// Functions of a strip's queries: vectors along them. Sums are in registers, of as many queries
/// as a tile of scores has.
void alongQueries(Stage &stage, const AttentionAxes &axes, RegisterTile tile,
                  const Strips &strips) {
  Var query = stage.variableOf(axes.query);
  bool sums = stage.func.has_update_definition();
  if (sums)
    sumDownColumns(stage, query, tile.width, tile.lanes);
  else
    vectorizeAlong(stage, query, tile.lanes);
  computeInStrip(sums ? stage.func.in() : stage.func, query, tile, strips);
}

/// Copies of factors, where products do not read them where they lie. A row of known length is
/// copied without a loop.
void copyFactors(LoweredRegion &region, mlir::Operation *op, int lanes,
                 std::initializer_list<StringRef> names) {
  for (StringRef role : names)
    if (Stage *stage = region.find(op, role)) {
      int along = isInPairs(*stage) ? 1 : 0;
      const Var &variable = stage->variables[along];
      std::optional<int64_t> length = region.fixedExtent(stage->dimensions[along]);
      bool whole = length && *length % (2 * lanes) == 0;
      bool narrow = along == 0 && stage->func.type().bits() == 16;
      stage->func.compute_root();
      vectorizeAlong(*stage, variable, whole && narrow ? 2 * lanes : lanes);
      if (whole)
        stage->func.bound_extent(variable, int(*length)).unroll(variable);
    }
}

/// Asks, an iteration of a loop ahead, for rows along an axis of the inputs that values are
/// computed from: a few lines of memory from each of several rows, which the processor does not
/// foresee.
void prefetchRows(Func func, ValueRange values, StringRef axis, const Var &at, const Var &ahead,
                  LoweredRegion &region) {
  for (Value value : values)
    for (unsigned input : inputsAlong(value, axis))
      if (auto found = region.inputs.find(input); found != region.inputs.end())
        func.prefetch(found->second.param, at, ahead, 1,
                      Halide::PrefetchBoundStrategy::NonFaulting);
}

/// Rows of `values` transposed to [axis][query], square by square; of pairs, to
/// [pair][query][place].
void transpose(Stage &stage, ValueRange values, LoweredRegion &region, const AttentionAxes &axes,
               RegisterTile tile, const Strips &strips) {
  Var outer("row_of_squares_of_transposed"), block("square_of_transposed");
  int side = region.target.traits.squareSide;
  bool inPairs = isInPairs(stage);
  Var query = stage.variableOf(axes.query), axis = stage.variables[inPairs ? 2 : 1];
  computeInStrip(stage.func, query, tile, strips);
  stage.func.split(query, outer, query, side, TailStrategy::RoundUp)
      .split(axis, block, axis, side, TailStrategy::RoundUp)
      .reorder(query, axis, block, outer)
      .unroll(axis);
  stage.func.vectorize(query);
  if (inPairs)
    stage.func.reorder(stage.variables.front(), query).unroll(stage.variables.front());
  scheduleTranspose(stage.op, stage.role, stage.func, block, region);
  if (Stage *rows = region.find(stage.op, stage.role + roles::inRows.str())) {
    computeInStrip(rows->func, query, tile, strips);
    rows->func.vectorize(rows->variables.front(), rowOfPairs(region.target.traits),
                         TailStrategy::RoundUp);
  } else {
    prefetchRows(stage.func, values, axes.query, block, outer, region);
  }
}

/// The sums that one tile of `at` needs, in registers.
void sumAt(Func at, const Var &level, Stage &sum, RegisterTile tile) {
  Var x = sum.variables[0], y = sum.variables[1];
  sum.func.compute_at(at, level).bound_extent(x, tile.width).bound_extent(y, tile.rows);
  sumInRegisters(sum.func, x, y, summedBy(sum), sum.domain.dimensions() > 1, tile);
}

/// Scores, with the products that they are made of. `rows`: what these read where it lies.
void scheduleScores(Stage &scores, std::initializer_list<Stage *> products, ValueRange rows,
                    LoweredRegion &region, const AttentionAxes &axes, RegisterTile tile,
                    const Strips &strips) {
  Var query = scores.variableOf(axes.query), key = scores.variableOf(axes.key);
  computeInStrip(scores.func, query, tile, strips);
  cutIntoTiles(scores.func, query, key, tile, TailStrategy::RoundUp);
  for (Stage *product : products)
    sumAt(scores.func, query, *product, tile);
  prefetchRows(scores.func, rows, axes.key, key, key, region);
}

/// Under a causal mask each block knows more keys than the one before, up to what a sliding window
/// shows, under one of lengths others than the last call. All take as much memory as the most keys
/// need: the runtime then gives each the memory of the last, which is still in the cache.
template <typename Op>
void takeMemoryForMostKeys(LoweredRegion &region, Op op, const AttentionAxes &axes,
                           RegisterTile tile) {
  const PlannedLoop *loop = region.plan.loopOver({axes.query});
  bool varies = region.plan.prefix || (loop && !loop->prefix.empty());
  if (!varies)
    return;
  int rows = std::max(tile.rows, leastSums); // tiles reach beyond the end
  Halide::Expr keys = region.sizeOf(op.getK(), axes.key) + rows;
  if (loop && loop->reach < Operand::fromStart)
    keys = Halide::min(keys, int32_t(loop->reach + loop->chunk + rows));
  for (StringRef role :
       {roles::keys, roles::score, roles::power, roles::weight, roles::factorsOfWeight,
        roles::values, roles::slopes, roles::factorsOfSlopes, roles::keyColumns})
    if (Stage *stage = region.find(op, role)) {
      if (std::optional<Var> key = stage->findVariableOf(axes.key))
        stage->func.bound_storage(*key, keys);
      if (std::optional<Var> pair = stage->findVariableOf(pairOfFactors))
        stage->func.bound_storage(*pair, keys / 2);
    }
}

/// A tile of a result: two vectors wide, unless half of the last one would be lost; then one vector
/// and more rows.
RegisterTile tileOfResult(ir::NamedTensorType type, const std::string &column, RegisterTile tile) {
  int64_t size = type.sizeOf(column).getFactor();
  bool wide = llvm::divideCeil(size, tile.lanes) % 2 == 0;
  tile.width = tile.lanes * (wide ? 2 : 1);
  if (!wide)
    tile.rows = std::max(tile.rows, leastSums);
  return tile;
}

/// A result [.., row, .., column] from sums in registers.
void scheduleResult(Stage &output, Stage &sum, const std::string &column, const std::string &row,
                    RegisterTile tile) {
  Var x = output.variableOf(column), y = output.variableOf(row);
  std::vector<Halide::VarOrRVar> loops =
      cutIntoTiles(output.func, x, y, tile, TailStrategy::GuardWithIf);
  loops.insert(loops.end(), {x, y});
  for (const Var &variable : output.variables)
    if (variable.name() != x.name() && variable.name() != y.name())
      loops.push_back(variable);
  output.func.reorder(loops);
  sumAt(output.func, x, sum, tile);
}

/// Splits a result's loop over queries into strips, outside all loops but those over shared axes.
/// `length`: iterations of that loop in a strip.
void cutIntoStrips(Stage &result, const AttentionAxes &axes, const Var &strip, int length) {
  Var query = result.variableOf(axes.query);
  result.func.split(query, strip, query, length, TailStrategy::GuardWithIf);
  std::vector<Halide::VarOrRVar> order;
  if (std::optional<Var> value = result.findVariableOf(axes.value))
    order.push_back(*value);
  order.insert(order.end(), {query, strip});
  for (const std::string &axis : axes.shared)
    order.push_back(result.variableOf(axis));
  result.func.reorder(order);
}

/// Whether sums over keys go stretch by stretch.
template <typename Op> bool goesByStretches(Op op, const Target &target) {
  return target.traits.keysOfStretch > 0 && !op.getFactors();
}

/// A result [.., query, column] from sums over keys that are computed a stretch of keys after the
/// other: what belongs to the stretch stays near while all register tiles go through it.
void scheduleResultByStretches(Stage &output, Stage &sum, const std::string &column,
                               ir::NamedTensorType type, RegisterTile tile,
                               const TargetTraits &traits, const Strips &strips) {
  Var x = sum.variables[0], y = sum.variables[1];
  computeInStrip(sum.func, y, tile, strips);
  sumByStretches(sum, x, y, tileOfResult(type, column, tile), /*inPairs=*/false,
                 int(traits.keysOfStretch));
  output.func.vectorize(output.variableOf(column), tile.lanes, TailStrategy::GuardWithIf);
}

/// Whether all are masks and numbers of f32, or, where what comes of them is rounded once, of bf16.
bool areSingle(ValueRange values, bool orNarrow) {
  return llvm::all_of(values, [&](Value value) {
    Type element = ir::tensorType(value).getElementType();
    return element.isF32() || element.isInteger(1) || (orNarrow && element.isBF16());
  });
}

class Attention : public Family {
public:
  llvm::StringRef name() const override { return "attention"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override {
    auto op = onlyAttention<ir::AttentionOp>(kernel);
    std::optional<AttentionAxes> axes = op ? attentionAxes(op) : std::nullopt;
    if (!axes || !areSingle(op->getOperands(), /*orNarrow=*/true) || !resultOf(op.getOutput()) ||
        !isFixed(ir::tensorType(op.getV()), axes->value) || !hasInstructions(op, target))
      return std::nullopt;
    return planAttention(op, *axes, name(), Queries::Parallel);
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    auto op = onlyAttention<ir::AttentionOp>(region.kernel);
    AttentionAxes axes = *attentionAxes(op);
    RegisterTile tile = tileFor(region.target, 1);
    Stage &output = *region.outputs[*resultOf(op.getOutput())].stage;
    Var strip("strip_of_queries");
    Strips strips = LoopLevel(output.func, strip);
    transpose(*region.find(op, roles::queries), op.getQ(), region, axes, tile, strips);
    scheduleScores(*region.find(op, roles::score), {region.find(op, roles::scoreProduct)},
                   op.getFactors() ? ValueRange() : op.getK(), region, axes, tile, strips);
    for (StringRef role : {roles::largest, roles::power, roles::total, roles::weight,
                           roles::inverse, roles::normalizer, roles::factorsOfWeight})
      if (Stage *stage = region.find(op, role))
        alongQueries(*stage, axes, tile, strips);
    copyFactors(region, op, tile.lanes, {roles::keys, roles::values});
    Stage &sum = *region.find(op, roles::weightedSum);
    // All results have a row for each query. In tiles, the loop over queries counts tiles of rows.
    if (goesByStretches(op, region.target)) {
      cutIntoStrips(output, axes, strip, tile.width);
      scheduleResultByStretches(output, sum, axes.value, ir::tensorType(op.getOutput()), tile,
                                region.target.traits, strips);
    } else {
      RegisterTile result = tileOfResult(ir::tensorType(op.getOutput()), axes.value, tile);
      scheduleResult(output, sum, axes.value, axes.query, result);
      cutIntoStrips(output, axes, strip, tile.width / result.rows);
    }
    for (const BoundOutput &other : region.outputs)
      if (other.stage != &output) {
        cutIntoStrips(*other.stage, axes, strip, tile.width);
        other.stage->func.compute_with(output.func, strip);
      }
    takeMemoryForMostKeys(region, op, axes, tile);
  }
};

class AttentionGradient : public Family {
public:
  llvm::StringRef name() const override { return "attention_gradient"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override {
    auto op = onlyAttention<ir::AttentionGradientOp>(kernel);
    std::optional<AttentionAxes> axes = op ? attentionAxes(op) : std::nullopt;
    if (!axes || !areSingle(op->getOperands(), /*orNarrow=*/false) ||
        !isFixed(ir::tensorType(op.getV()), axes->value) ||
        !isFixed(ir::tensorType(op.getK()), axes->depth) || !hasInstructions(op, target))
      return std::nullopt;
    // Sums are not rounded before they are complete.
    std::vector<unsigned> sums;
    bool rounded = false;
    for (Value sum : {op.getDk(), op.getDv()})
      if (auto result = resultOf(sum)) {
        sums.push_back(*result);
        rounded |= !ir::tensorType(kernel.getOutputs()[*result]).getElementType().isF32();
      }
    auto plan = planAttention(op, *axes, name(), rounded ? Queries::AtOnce : Queries::Sequential);
    if (plan && !rounded)
      plan->accumulated = sums;
    return plan;
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    auto op = onlyAttention<ir::AttentionGradientOp>(region.kernel);
    AttentionAxes axes = *attentionAxes(op);
    RegisterTile tile = tileFor(region.target, 1), pair = tileFor(region.target, 2);
    Strips noStrips;
    Value gradient = op.getGradient(), output = op.getOutput();
    std::pair<std::string, std::vector<Value>> transposed[] = {
        {roles::queries.str(), {op.getQ()}},
        {roles::gradients.str(), {gradient}},
        {roles::outputs.str(), {output}},
        {(roles::rowSum + roles::ofLane).str(), {gradient, output}}};
    for (const auto &[role, values] : transposed)
      if (Stage *stage = region.find(op, role))
        transpose(*stage, values, region, axes, tile, noStrips);
    for (StringRef role : {roles::normalizer, roles::rowSum, roles::factorsOfSlopes})
      if (Stage *stage = region.find(op, role))
        alongQueries(*stage, axes, tile, noStrips);
    copyFactors(region, op, tile.lanes,
                {roles::keys, roles::values, roles::keyColumns, roles::queryColumns,
                 roles::gradientColumns});
    Stage &slopes = *region.find(op, roles::slopes);
    std::vector<Value> rows = {op.getK(), op.getV()};
    scheduleScores(slopes,
                   {region.find(op, roles::scoreProduct), region.find(op, roles::gradientProduct)},
                   op.getFactors() ? ValueRange() : rows, region, axes, pair, noStrips);
    // Products read several rows of slopes at once: those of a known length are a constant apart.
    if (const PlannedLoop *loop = region.plan.loopOver({axes.query}))
      slopes.func.bound_storage(slopes.variableOf(axes.query), int32_t(loop->chunk));
    auto result = [&](Value value, StringRef role, const std::string &column,
                      const std::string &row) {
      auto index = resultOf(value);
      if (!index)
        return;
      Stage &output = *region.outputs[*index].stage, &sum = *region.find(op, role);
      bool sumsKeys = row == axes.query;
      if (sumsKeys && goesByStretches(op, region.target))
        scheduleResultByStretches(output, sum, column, ir::tensorType(value), tile,
                                  region.target.traits, noStrips);
      else
        scheduleResult(output, sum, column, row, tileOfResult(ir::tensorType(value), column, tile));
      if (auto sums = region.previous.find(*index); sums != region.previous.end())
        output.func.prefetch(sums->second, output.variableOf(column), output.variableOf(row), 1,
                             Halide::PrefetchBoundStrategy::NonFaulting);
    };
    result(op.getDq(), roles::dq, axes.depth, axes.query);
    result(op.getDk(), roles::dk, axes.depth, axes.key);
    result(op.getDv(), roles::dv, axes.value, axes.key);
    takeMemoryForMostKeys(region, op, axes, tile);
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
