#include "codegen/halide/schedules/MatrixTile.h"

#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/schedules/PackOperands.h"
#include "codegen/halide/schedules/RegisterTile.h"
#include "codegen/halide/schedules/Stages.h"
#include "codegen/halide/schedules/Sums.h"
#include "codegen/halide/schedules/TensorsRead.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

/// Whether any function with sums, any output, or one that is `kept` uses `from` without going
/// through `through`.
static bool escapes(const Stage &from, const Stage *through, const std::set<const Stage *> &kept,
                    LoweredRegion &region) {
  std::set<std::string> reached = {from.func.name()};
  for (auto &stage : region.stages) {
    if (stage.get() == &from || stage.get() == through)
      continue;
    bool uses = llvm::any_of(calledBy(*stage),
                             [&](const std::string &name) { return reached.count(name) > 0; });
    if (!uses)
      continue;
    if (region.isOutput(*stage) || stage->func.has_update_definition() || isPacking(*stage) ||
        kept.count(stage.get()))
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

Var codegen::variableFor(const Stage &stage, const AxisList &dimension, const Stage &product) {
  for (auto [other, variable] : llvm::zip(stage.dimensions, stage.variables))
    if (other == dimension)
      return variable;
  return stage.variables[llvm::find(product.dimensions, dimension) - product.dimensions.begin()];
}

namespace {
/// Looks for calls of `read` that ask for another place than the reader's own.
class OwnPlace : public Halide::Internal::IRGraphVisitor {
public:
  OwnPlace(const Stage &reader, const Stage &read) : reader(reader), read(read) {}
  bool alone = true;

private:
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call *call) override {
    if (call->name == read.func.name())
      for (auto [dimension, index] : llvm::zip(read.dimensions, call->args)) {
        auto *variable = index.as<Halide::Internal::Variable>();
        alone &= variable && variable->name == variableFor(reader, dimension, read).name();
      }
    IRGraphVisitor::visit(call);
  }

  const Stage &reader, &read;
};
} // namespace

/// Whether a function without sums reads another one nowhere but at its own place.
static bool readsOwnPlace(const Stage &reader, const Stage &read) {
  if (reader.dimensions.size() < read.dimensions.size())
    return false;
  OwnPlace place(reader, read);
  Halide::Tuple values = reader.func.values();
  for (const Halide::Expr &e : values.as_vector())
    e.accept(&place);
  return place.alone;
}

Stage *codegen::endOfEpilogue(const Stage &product, LoweredRegion &region) {
  Stage *last = nullptr;
  std::set<const Stage *> kept = keptStages(region);
  std::vector<std::pair<const Stage *, bool>> reached = {{&product, true}}; // at their own places?
  for (auto &stage : region.stages) {
    if (stage->func.has_update_definition() || isPacking(*stage))
      continue;
    std::set<std::string> called = calledBy(*stage);
    bool uses = false, atOwnPlace = true;
    for (auto [other, isOwn] : reached)
      if (called.count(other->func.name())) {
        uses = true;
        atOwnPlace &= isOwn && readsOwnPlace(*stage, *other);
      }
    if (!uses)
      continue;
    reached.emplace_back(stage.get(), atOwnPlace);
    bool sameSize = stage->dimensions.size() == product.dimensions.size() &&
                    volumeRank(*stage) >= volumeRank(product);
    if (atOwnPlace && sameSize && stage->op != product.op &&
        !escapes(product, stage.get(), kept, region))
      last = stage.get();
  }
  return last;
}

static RegisterTile tileOf(const MatrixPlan &matrix, const LoweredRegion &region) {
  const TargetTraits &traits = region.target.traits;
  return {int(traits.vectorLanes), int(matrix.panel), int(matrix.tileRows),
          int(traits.termsOfIteration)};
}

/// Has the iterations of `loop` ask for what a later one will read of the right operand.
template <typename Schedulable>
static void prefetchPanels(Schedulable &&schedulable, const Halide::VarOrRVar &loop, int ahead,
                           const Stage &product, const MatrixPlan &matrix, LoweredRegion &region) {
  auto prefetch = [&](const auto &panels) {
    schedulable.prefetch(panels, loop, loop, ahead, Halide::PrefetchBoundStrategy::NonFaulting);
  };
  if (auto prepared = region.prepared.find(&matrix - region.plan.matrices.data());
      prepared != region.prepared.end())
    prefetch(prepared->second);
  else if (Stage *packed = region.find(product.op, roles::packedRight))
    prefetch(packed->func);
}

/// Asks for rows of the panel that `sums` walk, some terms ahead. The processor does so for what
/// comes from memory, but late for what is in the private cache.
static void prefetchRows(Func sums, const RVar &term, const Stage &product,
                         const MatrixPlan &matrix, LoweredRegion &region) {
  if (int ahead = int(region.target.traits.termsAhead / matrix.pair))
    prefetchPanels(sums.update(), term, ahead, product, matrix, region);
}

/// Asks for the next panel while tiles walk this one, each iteration of their sums for its share
/// (codegen/halide/Prefetches.h): a panel of a long sum comes from the shared cache.
template <typename Schedulable>
static void prefetchNextPanel(Schedulable &&schedulable, const Halide::VarOrRVar &panel,
                              const Stage &product, const MatrixPlan &matrix,
                              LoweredRegion &region) {
  if (region.target.traits.termsAhead > 0)
    prefetchPanels(schedulable, panel, 1, product, matrix, region);
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
  if (std::vector<RVar> summed = summedBy(product); !summed.empty())
    prefetchRows(product.func, summed[matrix.pair > 1 ? 1 : 0], product, matrix, region);
}

/// Asks for other operands that a tile's epilogue reads before the tile's sums begin. Tiles read a
/// few lines of memory from each of several rows, which the processor does not foresee. What
/// earlier chunks have summed lies where the tile writes (codegen/halide/PrefetchStores.h).
static void prefetchEpilogue(Func tile, const Var &level, const MatrixPlan &matrix,
                             LoweredRegion &region) {
  TensorsRead read(tile);
  for (const auto &[index, input] : region.inputs) {
    auto has = [&](const AxisList &axes) {
      return llvm::any_of(input.dimensions, [&](const PhysicalDimension &dimension) {
        return dimension.axes == axes;
      });
    };
    if (read.names.count(input.param.name()) && has(matrix.row) && has(matrix.column))
      tile.prefetch(input.param, level, level, 0, Halide::PrefetchBoundStrategy::NonFaulting);
  }
}

std::vector<Halide::VarOrRVar> codegen::registerTiles(Func tile, const Var &column, const Var &row,
                                                      Stage &product, const MatrixPlan &matrix,
                                                      LoweredRegion &region) {
  RegisterTile shape = tileOf(matrix, region);
  std::vector<Halide::VarOrRVar> loops =
      cutIntoTiles(tile, column, row, shape, TailStrategy::GuardWithIf);
  // A wide panel takes long to come from the cache, so the next tile uses it too. So it does where
  // the next panel is asked for meanwhile, which takes all tiles of this one. A tile of a narrow
  // panel stores little to each of many rows, so the next one goes on along them: their memory
  // comes faster than that of others.
  bool goesOnAlongRows = shape.width <= 2 * shape.lanes && region.target.traits.termsAhead == 0;
  const Var &inner = goesOnAlongRows ? column : row, &outer = goesOnAlongRows ? row : column;
  sumInTile(product, tile, inner, matrix, region);
  prefetchEpilogue(tile, inner, matrix, region);
  prefetchNextPanel(tile, outer, product, matrix, region);
  loops.insert(loops.end(), {inner, outer});
  return loops;
}

Var codegen::shareColumns(Func tile, const Var &column, const MatrixPlan &matrix) {
  Var strip("strip_of_columns");
  int panels = int(matrix.stripColumns / matrix.panel);
  tile.split(column, strip, column, panels, TailStrategy::GuardWithIf).parallel(strip);
  return strip;
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
  // Tiles first, then strips: of blocks that are cut from these, the last one computes none that
  // nobody reads.
  std::vector<Halide::VarOrRVar> order = registerTiles(tile, column, row, product, matrix, region);
  Var strip = shareColumns(tile, column, matrix);
  tile.tile(strip, row, columnBlock, rowBlock, strip, row,
            int(matrix.blockColumns / matrix.stripColumns), int(matrix.blockTiles),
            TailStrategy::GuardWithIf);
  // A block of panels stays in the cache while blocks of rows pass by.
  order.insert(order.end(), {strip, rowBlock, columnBlock});
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

void codegen::scheduleByStretches(Stage &product, const MatrixPlan &matrix, LoweredRegion &region) {
  Func sums = product.func;
  Var column = variableFor(product, matrix.column, product),
      row = variableFor(product, matrix.row, product), columnBlock("column_block_of_matrix"),
      rowBlock("row_block_of_matrix"), task("parallel_task_of_matrix");
  sums.compute_root();
  auto [partial, term, loops] = sumByStretches(product, column, row, tileOf(matrix, region),
                                               matrix.pair > 1, int(matrix.stretch / matrix.pair));
  RVar stretch = loops.back().rvar;
  prefetchRows(partial, term, product, matrix, region);
  prefetchNextPanel(sums.update(), column, product, matrix, region);
  // What earlier stretches summed is asked for as what tiles write
  // (codegen/halide/PrefetchStores.h).
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
