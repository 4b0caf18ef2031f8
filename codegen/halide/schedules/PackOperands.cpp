#include "codegen/halide/schedules/PackOperands.h"

#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/ops/Transpose.h"
#include "codegen/halide/schedules/Stages.h"
#include "codegen/halide/schedules/TensorsRead.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

/// How many dimensions a packed operand has inside its groups: one where factors lie in pairs.
static size_t insideGroups(const Stage &stage) {
  return stage.dimensions.front() == stage.dimensions.back() ? 0 : 1;
}

/// Reads along four rows of memory (of pairs, eight) and writes a few of their elements to each
/// group, then to the next. Threads take blocks of rows. Prefetchers follow four rows, but not 32:
/// 16 MB take 1.3 ms instead of 2.1 on two cores of a Zen 3.
static void packByRows(Stage &stage) {
  constexpr int rowsOfTask = 32, rowsAtOnce = 4;
  size_t inside = insideGroups(stage);
  Var place = stage.variables[inside], row = stage.variables[inside + 1],
      group = stage.variables.back(), rows("rows_of_packing"), task("parallel_task_of_packing");
  stage.func.split(row, task, row, rowsOfTask, TailStrategy::GuardWithIf)
      .split(row, rows, row, rowsAtOnce, TailStrategy::GuardWithIf);
  std::vector<Halide::VarOrRVar> order = {place, row, group, rows};
  for (const Var &variable : llvm::drop_begin(stage.variables, inside + 2))
    if (variable.name() != group.name())
      order.push_back(variable);
  order.push_back(task);
  stage.func.reorder(order).parallel(task);
}

static bool isTransposed(const Stage &stage, LoweredRegion &region) {
  return !transposeRounds(stage.op, stage.role, region).empty();
}

/// Transposes squares of a group's rows.
static void packTransposed(Stage &stage, LoweredRegion &region) {
  Var place = stage.variables[insideGroups(stage)],
      summed = stage.variables[insideGroups(stage) + 1], block("block_of_packed_rows"),
      square("square_of_packed_rows");
  int pair = insideGroups(stage) + 1, side = region.target.traits.squareSide;
  stage.func.split(summed, block, summed, side / pair)
      .split(place, square, place, side, TailStrategy::RoundUp)
      .reorder(place, summed, square, block)
      .unroll(summed);
  scheduleTranspose(stage.op, stage.role, stage.func, square, region);
}

/// Writes the places of a group in vectors, as long as the sides of squares where it transposes;
/// in half ones where a block's rows are no whole ones.
static void vectorizePlaces(Stage &stage, LoweredRegion &region) {
  const TargetTraits &traits = region.target.traits;
  int lanes = isTransposed(stage, region) ? traits.squareSide : traits.vectorLanes;
  const MatrixPlan &matrix = *planOf(llvm::cast<ir::ContractOp>(stage.op), region);
  if (stage.role == roles::tiledLeft && matrix.blockRows() % lanes != 0)
    lanes /= 2;
  Var place = stage.variables[insideGroups(stage)];
  stage.func.vectorize(place, lanes, TailStrategy::GuardWithIf).unroll(place);
  if (insideGroups(stage) > 0)
    stage.func.reorder(stage.variables.front(), place).unroll(stage.variables.front());
}

static void packInParallel(Stage &stage, LoweredRegion &region) {
  if (isTransposed(stage, region)) {
    packTransposed(stage, region);
    stage.func.parallel(stage.variables.back());
  } else {
    packByRows(stage);
  }
  vectorizePlaces(stage, region);
}

/// Asks for what a block will pack some rows later: a few lines of each of many rows, which the
/// processor does not foresee.
static void prefetchRowsToPack(Stage &stage) {
  constexpr int rowsAhead = 8;
  Var row = stage.variables[insideGroups(stage) + 1];
  for (const auto &[name, product] : TensorsRead(stage.func).products)
    stage.func.prefetch(product, row, row, rowsAhead, Halide::PrefetchBoundStrategy::NonFaulting);
}

void codegen::packBlock(Stage &stage, Func tile, const Var &level, LoweredRegion &region) {
  stage.func.compute_at(tile, level);
  if (isTransposed(stage, region))
    packTransposed(stage, region);
  else
    prefetchRowsToPack(stage);
  vectorizePlaces(stage, region);
}

void codegen::roundRows(Stage &rounded, Func tile, const Var &level, LoweredRegion &region) {
  int lanes = region.target.traits.vectorLanes;
  Var k = rounded.variables.front();
  rounded.func.compute_at(tile, level).vectorize(k, 2 * lanes, TailStrategy::GuardWithIf);
  if (std::optional<int64_t> extent = region.fixedExtent(rounded.dimensions.front()))
    rounded.func.bound_storage(k, paddedRow(*extent, lanes));
}

void codegen::packStretch(Stage &operand, Func sums, const RVar &level, const MatrixPlan &matrix,
                          LoweredRegion &region) {
  operand.func.compute_at(sums, level)
      .bound_storage(operand.variables[insideGroups(operand) + 1],
                     int(matrix.stretch / matrix.pair));
  packInParallel(operand, region);
}

void codegen::computeStretch(Stage &left, Func sums, const RVar &level, const MatrixPlan &matrix,
                             LoweredRegion &region) {
  constexpr int rowsOfTask = 16;
  int lanes = region.target.traits.vectorLanes;
  Var k = left.variables.front(), row = left.variables.back(), task("parallel_task_of_stretch");
  left.func.compute_at(sums, level)
      .bound_storage(k, paddedRow(matrix.stretch, lanes))
      .vectorize(k, lanes * int(matrix.pair), TailStrategy::GuardWithIf)
      .split(row, task, row, rowsOfTask, TailStrategy::GuardWithIf)
      .parallel(task);
}

void codegen::packWhole(Stage &stage, LoweredRegion &region) {
  stage.func.compute_root();
  if (stage.role == roles::keptLeft)
    computeWhole(stage, region, /*parallel=*/true);
  else
    packInParallel(stage, region);
}

std::set<const Stage *> codegen::schedulePacking(ir::ContractOp op, LoweredRegion &region) {
  const MatrixPlan &matrix = *planOf(op, region);
  std::set<const Stage *> scheduled;
  for (auto &stage : region.stages)
    if (stage->op == op && isPacking(*stage)) {
      if ((stage->role == roles::packedRight && !matrix.packsStretches() && !matrix.packsColumns) ||
          (stage->role == roles::keptLeft && matrix.stretch == 0))
        packWhole(*stage, region);
      scheduled.insert(stage.get());
    }
  return scheduled;
}
