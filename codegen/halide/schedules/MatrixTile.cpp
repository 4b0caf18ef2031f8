#include "codegen/halide/schedules/MatrixTile.h"

#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/ops/Transpose.h"
#include "codegen/halide/schedules/RegisterTile.h"
#include "codegen/halide/schedules/Stages.h"
#include "codegen/halide/schedules/Sums.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

/// Whether any function with sums, or any output, uses `from` without going through `through`.
static bool escapes(const Stage &from, const Stage *through, LoweredRegion &region) {
  std::set<std::string> reached = {from.func.name()};
  for (auto &stage : region.stages) {
    if (stage.get() == &from || stage.get() == through)
      continue;
    bool uses = llvm::any_of(calledBy(*stage),
                             [&](const std::string &name) { return reached.count(name) > 0; });
    if (!uses)
      continue;
    if (region.isOutput(*stage) || stage->func.has_update_definition() || isPacking(*stage))
      return true;
    reached.insert(stage->func.name());
  }
  return false;
}

static size_t volumeRank(const Stage &stage) {
  size_t axes = 0;
  for (const AxisList &dimension : stage.dimensions)
    axes += dimension.size();
  return axes;
}

Stage *codegen::endOfEpilogue(const Stage &product, LoweredRegion &region) {
  Stage *last = nullptr;
  std::set<std::string> reached = {product.func.name()};
  for (auto &stage : region.stages) {
    bool uses = llvm::any_of(calledBy(*stage),
                             [&](const std::string &name) { return reached.count(name) > 0; });
    if (!uses || stage->func.has_update_definition() || isPacking(*stage))
      continue;
    reached.insert(stage->func.name());
    bool sameSize = stage->dimensions.size() == product.dimensions.size() &&
                    volumeRank(*stage) >= volumeRank(product);
    if (sameSize && stage->op != product.op && !escapes(product, stage.get(), region))
      last = stage.get();
  }
  return last;
}

Var codegen::variableFor(const Stage &stage, const AxisList &dimension, const Stage &product) {
  for (auto [other, variable] : llvm::zip(stage.dimensions, stage.variables))
    if (other == dimension)
      return variable;
  return stage.variables[llvm::find(product.dimensions, dimension) - product.dimensions.begin()];
}

static RegisterTile tileOf(const MatrixPlan &matrix, const LoweredRegion &region) {
  const TargetTraits &traits = region.target.traits;
  return {int(traits.vectorLanes), int(matrix.panel), int(matrix.tileRows),
          int(traits.termsOfIteration)};
}

/// The sums of one tile of `tile`, which is computed at `level`, in registers.
static void sumInTile(Stage &product, Func tile, const Var &level, const MatrixPlan &matrix,
                      LoweredRegion &region) {
  Var column = variableFor(product, matrix.column, product),
      row = variableFor(product, matrix.row, product);
  product.func.compute_at(tile, level)
      .bound_extent(column, int(matrix.panel))
      .align_bounds(row, int(matrix.tileRows))
      .bound_extent(row, int(matrix.tileRows));
  for (const Var &variable : product.variables)
    if (variable.name() != column.name() && variable.name() != row.name())
      product.func.bound_extent(variable, 1);
  sumInRegisters(product.func, column, row, summedBy(product), matrix.pair > 1,
                 tileOf(matrix, region));
}

namespace {
/// Names of the tensors that a function reads for itself, without the sums it uses.
class TensorsRead : public Halide::Internal::IRGraphVisitor {
public:
  explicit TensorsRead(const Func &func) { read(func.values()); }
  std::set<std::string> names;

private:
  void read(const Halide::Tuple &values) {
    for (const Halide::Expr &value : values.as_vector())
      value.accept(this);
  }
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call *call) override {
    IRGraphVisitor::visit(call);
    if (call->call_type == Halide::Internal::Call::Image)
      names.insert(call->name);
    if (call->call_type != Halide::Internal::Call::Halide)
      return;
    Func func(Halide::Internal::Function(call->func));
    if (!func.has_update_definition())
      read(func.values());
  }
};
} // namespace

/// Asks for what a tile's epilogue reads before the tile's sums begin: other operands, and what
/// chunks before this one have summed. Tiles read a few lines of memory from each of several rows,
/// which the processor does not foresee.
static void prefetchEpilogue(Func tile, const Var &level, const MatrixPlan &matrix,
                             LoweredRegion &region) {
  TensorsRead read(tile);
  auto prefetch = [&](const Halide::ImageParam &tensor) {
    if (read.names.count(tensor.name()))
      tile.prefetch(tensor, level, level, 0, Halide::PrefetchBoundStrategy::NonFaulting);
  };
  for (const auto &[index, input] : region.inputs) {
    auto has = [&](const AxisList &axes) {
      return llvm::any_of(input.dimensions, [&](const PhysicalDimension &dimension) {
        return dimension.axes == axes;
      });
    };
    if (has(matrix.row) && has(matrix.column))
      prefetch(input.param);
  }
  for (const auto &[index, sums] : region.previous)
    prefetch(sums);
}

std::vector<Halide::VarOrRVar> codegen::registerTiles(Func tile, const Var &column, const Var &row,
                                                      Stage &product, const MatrixPlan &matrix,
                                                      LoweredRegion &region) {
  RegisterTile shape = tileOf(matrix, region);
  std::vector<Halide::VarOrRVar> loops =
      cutIntoTiles(tile, column, row, shape, TailStrategy::GuardWithIf);
  // A wide panel takes long to come from the cache, so the next tile uses it too. A tile of a
  // narrow one stores little to each of many rows, so the next one goes on along them: their memory
  // comes faster than that of others.
  bool goesOnAlongRows = shape.width <= 2 * shape.lanes;
  const Var &inner = goesOnAlongRows ? column : row, &outer = goesOnAlongRows ? row : column;
  sumInTile(product, tile, inner, matrix, region);
  prefetchEpilogue(tile, inner, matrix, region);
  loops.insert(loops.end(), {inner, outer});
  return loops;
}

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

/// Packs the groups that one iteration of a loop needs, where they stay in the cache until they are
/// used.
static void packBlock(Stage &stage, Func tile, const Var &level, LoweredRegion &region) {
  stage.func.compute_at(tile, level);
  if (isTransposed(stage, region))
    packTransposed(stage, region);
  vectorizePlaces(stage, region);
}

void codegen::roundRows(Stage &rounded, Func tile, const Var &level, LoweredRegion &region) {
  int lanes = region.target.traits.vectorLanes;
  Var k = rounded.variables.front();
  rounded.func.compute_at(tile, level).vectorize(k, 2 * lanes, TailStrategy::GuardWithIf);
  if (std::optional<int64_t> extent = region.fixedExtent(rounded.dimensions.front()))
    rounded.func.bound_storage(k, paddedRow(*extent, lanes));
}

/// Prepares the rows that a task reads, where they are not read as they lie.
static void prepareLeft(Stage &product, Func tile, const Var &task, const MatrixPlan &matrix,
                        LoweredRegion &region) {
  if (Stage *rounded = region.find(product.op, roles::roundedLeft))
    roundRows(*rounded, tile, task, region);
  if (Stage *groups = region.find(product.op, roles::tiledLeft)) {
    // Blocks side by side read the same groups.
    std::optional<int64_t> columns = region.fixedExtent(matrix.column);
    if (columns && *columns <= matrix.blockColumns)
      packBlock(*groups, tile, task, region);
    else
      packWhole(*groups, region);
  }
}

/// The extent of a dimension of a product.
static Halide::Expr extentInProduct(const Stage &product, const AxisList &dimension,
                                    const MatrixPlan &matrix, LoweredRegion &region) {
  if (dimension == AxisList{partOfSum.str()})
    return int32_t(matrix.parts);
  return region.extentOf(ir::tensorType(product.op->getResult(0)), dimension);
}

/// The loop whose iterations threads take: over blocks of columns where these pack their panels, or
/// over blocks; over those of one part after the other, so that threads read what they have packed.
/// Takes the loop over parts from `others`.
static Var taskOf(Func tile, Stage &product, const MatrixPlan &matrix, const Var &rowBlock,
                  const Var &columnBlock, std::vector<Var> &others, LoweredRegion &region) {
  if (matrix.packsColumns) {
    // All blocks of rows read what a thread has packed.
    packBlock(*region.find(product.op, roles::packedRight), tile, columnBlock, region);
    return columnBlock;
  }
  Var block("parallel_task_of_matrix"), blockOfPart("parallel_task_of_parts");
  tile.fuse(rowBlock, columnBlock, block);
  if (matrix.parts == 1)
    return block;
  tile.fuse(block, others.back(), blockOfPart);
  others.pop_back();
  return blockOfPart;
}

void codegen::scheduleMatrix(Stage &product, Stage *tiled, const MatrixPlan &matrix,
                             LoweredRegion &region) {
  Func tile = tiled ? tiled->func : product.func.in();
  const Stage &shape = tiled ? *tiled : product;
  Var column = variableFor(shape, matrix.column, product),
      row = variableFor(shape, matrix.row, product);
  Var columnBlock("column_block_of_matrix"), rowBlock("row_block_of_matrix");

  tile.compute_root();
  // Tiles of what others only read start at its beginning: Halide keeps sums in registers if it
  // knows where they are.
  if (!tiled)
    for (auto [dimension, variable] : llvm::zip(product.dimensions, product.variables))
      tile.bound(variable, 0, extentInProduct(product, dimension, matrix, region));
  // Tiles first: of blocks that are cut from tiles, the last one computes none that nobody reads.
  std::vector<Halide::VarOrRVar> order = registerTiles(tile, column, row, product, matrix, region);
  tile.tile(column, row, columnBlock, rowBlock, column, row,
            int(matrix.blockColumns / matrix.panel), int(matrix.blockTiles),
            TailStrategy::GuardWithIf);
  // A block of panels stays in the cache while blocks of rows pass by.
  order.insert(order.end(), {rowBlock, columnBlock});
  std::vector<Var> others = shape.variables;
  llvm::erase_if(others, [&](const Var &variable) {
    return variable.name() == column.name() || variable.name() == row.name();
  });
  order.insert(order.end(), others.begin(), others.end());
  tile.reorder(order);
  Var task = taskOf(tile, product, matrix, rowBlock, columnBlock, others, region);
  prepareLeft(product, tile, task, matrix, region);
  if (region.plan.dividesAmongThreads())
    return;
  tile.parallel(task);
  if (!others.empty())
    tile.parallel(others.back());
}

/// Packs what a stretch of the sum reads of an operand.
static void packStretch(Stage &operand, Func sums, const RVar &level, const MatrixPlan &matrix,
                        LoweredRegion &region) {
  operand.func.compute_at(sums, level)
      .bound_storage(operand.variables[insideGroups(operand) + 1],
                     int(matrix.stretch / matrix.pair));
  packInParallel(operand, region);
}

/// Computes what a stretch reads of a left operand that is not read where it lies, threads taking
/// rows of it.
static void computeStretch(Stage &left, Func sums, const RVar &level, const MatrixPlan &matrix,
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

void codegen::scheduleByStretches(Stage &product, const MatrixPlan &matrix, LoweredRegion &region) {
  Func sums = product.func;
  Var column = variableFor(product, matrix.column, product),
      row = variableFor(product, matrix.row, product), columnBlock("column_block_of_matrix"),
      rowBlock("row_block_of_matrix"), task("parallel_task_of_matrix");
  sums.compute_root();
  std::vector<Halide::VarOrRVar> loops =
      sumByStretches(product, column, row, tileOf(matrix, region), matrix.pair > 1,
                     int(matrix.stretch / matrix.pair));
  RVar stretch = loops.back().rvar;
  // What the stretches before this one summed is asked for before a tile's own sums begin.
  sums.update().prefetch(sums, row, row, 0, Halide::PrefetchBoundStrategy::NonFaulting);
  sums.parallel(row, int(matrix.blockRows()));
  loops.insert(loops.end() - 1, {rowBlock, columnBlock});
  sums.update()
      .tile(column, row, columnBlock, rowBlock, column, row,
            int(matrix.blockColumns / matrix.panel), int(matrix.blockTiles),
            TailStrategy::GuardWithIf)
      .reorder(loops)
      .fuse(rowBlock, columnBlock, task)
      .parallel(task);
  for (llvm::StringRef role : {roles::keptLeft, roles::roundedLeft})
    if (Stage *left = region.find(product.op, role))
      computeStretch(*left, sums, stretch, matrix, region);
  for (llvm::StringRef role : {roles::tiledLeft, roles::packedRight})
    if (Stage *operand = matrix.packsStretches() ? region.find(product.op, role) : nullptr)
      packStretch(*operand, sums, stretch, matrix, region);
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
