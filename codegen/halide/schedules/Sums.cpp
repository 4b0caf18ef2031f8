#include "codegen/halide/schedules/Sums.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::TailStrategy;
using Halide::Var;

std::vector<Var> codegen::pureInUpdate(const Stage &stage) {
  std::vector<Var> pure;
  for (const Var &variable : stage.variables)
    for (const Halide::Expr &argument : stage.func.update_args())
      if (const auto *v = argument.as<Halide::Internal::Variable>())
        if (v->name == variable.name())
          pure.push_back(variable);
  return pure;
}

std::vector<Halide::RVar> codegen::summedBy(const Stage &stage) {
  std::vector<Halide::RVar> summed;
  for (int k = 0; k < stage.domain.dimensions(); ++k)
    summed.push_back(stage.domain[k]);
  return summed;
}

/// Sums in lanes along `inner`, for each of `variables`, innermost first. Returns the sums of the
/// lanes.
static Halide::Func addInLanes(Halide::Func sum, const Halide::RVar &inner,
                               const std::vector<Var> &variables, int lanes, bool threadsTakeRows) {
  Halide::RVar blocks("blocks_of_row_sum"), lane("lane_of_row_sum");
  Var lanesOfPartial("lanes_of_partial_row_sum");
  Halide::Stage update = sum.update();
  update.split(inner, blocks, lane, lanes, TailStrategy::GuardWithIf);
  Halide::Func partial = update.rfactor(lane, lanesOfPartial);
  if (variables.empty())
    partial.compute_root();
  else
    partial.compute_at(sum, variables.front());
  partial.vectorize(lanesOfPartial).update().vectorize(lanesOfPartial);
  // Halide adds up the lanes of a vector only in sums that may be in several hands, and locks those
  // that may be in several threads'.
  if (sum.outputs() == 1 && !threadsTakeRows)
    update.atomic().vectorize(lane);
  return partial;
}

void codegen::sumInLanes(Stage &stage, int lanes, bool threadsTakeRows) {
  addInLanes(stage.func, stage.domain[0], stage.variables, lanes, threadsTakeRows);
}

void codegen::sumToNumber(Stage &stage, int lanes, bool parallel) {
  const int dimensions = stage.domain.dimensions();
  stage.func.compute_root();
  Halide::Stage update = stage.func.update();
  Halide::RVar inner = stage.domain[0];
  std::vector<std::pair<Halide::RVar, Var>> stretches;
  // Of about 2^14 elements in all, mostly along what lies side by side.
  int64_t left = 1 << 14;
  for (int k = 0; k < dimensions; ++k) {
    int64_t share = left >> 4 * (dimensions - k - 1), least = k == 0 ? 64 : 16;
    int length = int(std::max(share, least));
    std::optional<int64_t> extent = Halide::Internal::as_const_int(stage.domain[k].extent());
    bool isWhole = extent && *extent <= length;
    left = std::max<int64_t>(1, left / (isWhole ? std::max<int64_t>(1, *extent) : length));
    if (isWhole)
      continue;
    std::string number = std::to_string(k);
    Halide::RVar stretch("stretch_of_sum" + number), rest("rest_of_stretch" + number);
    update.split(stage.domain[k], stretch, rest, length, TailStrategy::GuardWithIf);
    if (k == 0)
      inner = rest;
    stretches.emplace_back(stretch, Var("stretch_of_partial_number" + number));
  }
  if (stretches.empty())
    return sumInLanes(stage, lanes);
  Halide::Func partial = update.rfactor(stretches);
  auto [stretch, ofPartial] = stretches.front();
  Halide::Func ofLanes = addInLanes(partial, inner, {ofPartial}, lanes, /*threadsTakeRows=*/true);
  for (const auto &[next, ofNext] : llvm::drop_begin(stretches)) {
    Halide::RVar both(stretch.name() + "_and_next");
    Var ofBoth(ofPartial.name() + "_and_next");
    update.fuse(stretch, next, both);
    partial.update().fuse(ofPartial, ofNext, ofBoth);
    stretch = both;
    ofPartial = ofBoth;
  }
  ofLanes.compute_at(partial, ofPartial);
  partial.compute_root();
  if (parallel)
    partial.update().parallel(ofPartial);
  addInLanes(stage.func, stretch, {}, lanes, /*threadsTakeRows=*/false);
}

/// Columns of a block: as many vectors as divide the extent, at most `most`; 0 if not even one
/// does.
static int columnsOfBlock(const Stage &stage, LoweredRegion &region, int most) {
  int lanes = region.target.traits.vectorLanes;
  std::optional<int64_t> extent = region.fixedExtent(stage.dimensions.front());
  if (!extent)
    return 0;
  for (int width = most * lanes; width >= lanes; width /= 2)
    if (*extent % width == 0)
      return width;
  return 0;
}

/// Sums blocks of columns in registers; `kept`, which reads the sums, is computed block by block.
static Var sumBlocksInRegisters(Halide::Func kept, Halide::Func sums, const Var &column, int width,
                                const std::vector<Halide::RVar> &rows, int lanes) {
  Var block("block_of_columns");
  kept.compute_root().split(column, block, column, width).vectorize(column, lanes).unroll(column);
  sums.compute_at(kept, block)
      .store_in(Halide::MemoryType::Register)
      .bound_extent(column, width)
      .vectorize(column, lanes)
      .unroll(column);
  std::vector<Halide::VarOrRVar> order = {column};
  order.insert(order.end(), rows.begin(), rows.end());
  sums.update().reorder(order).vectorize(column, lanes).unroll(column);
  return block;
}

/// Has threads take stretches of rows, whose sums are then added up: memory comes fastest in whole
/// rows.
static void sumStretchesOfRows(Stage &stage, int width, int lanes) {
  constexpr int rowsOfStretch = 64;
  Halide::RVar stretch("stretch_of_rows"), row("row_of_stretch");
  Var column = stage.variables.front(), stretchOfPartial("stretch_of_partial_sum");
  Halide::Func all = stage.func;
  all.update().split(stage.domain[0], stretch, row, rowsOfStretch, TailStrategy::GuardWithIf);
  Halide::Func partial = all.update().rfactor(stretch, stretchOfPartial), kept = partial.in();
  Var block = sumBlocksInRegisters(kept, partial, column, width, {row}, lanes);
  kept.reorder(column, block, stretchOfPartial).parallel(stretchOfPartial);
  all.compute_root().vectorize(column, lanes);
  all.update().reorder(column, stretch).vectorize(column, lanes);
}

bool codegen::sumDownColumns(Stage &stage, LoweredRegion &region, bool parallel) {
  if (stage.variables.empty() || pureInUpdate(stage).size() != stage.variables.size())
    return false;
  int lanes = region.target.traits.vectorLanes, registers = region.target.traits.vectorRegisters;
  bool inStretches = parallel && stage.variables.size() == 1 && stage.domain.dimensions() == 1 &&
                     stage.func.outputs() == 1;
  int width = columnsOfBlock(stage, region, inStretches ? registers / 2 : 8);
  if (width == 0)
    return false;
  if (inStretches) {
    sumStretchesOfRows(stage, width, lanes);
    return true;
  }
  Halide::Func kept = stage.func.in();
  Var block = sumBlocksInRegisters(kept, stage.func, stage.variables.front(), width,
                                   summedBy(stage), lanes);
  if (parallel)
    kept.parallel(stage.variables.size() > 1 ? stage.variables.back() : block);
  return true;
}

void codegen::sumDownColumns(Stage &stage, const Var &column, int width, int lanes) {
  sumBlocksInRegisters(stage.func.in(), stage.func, column, width, summedBy(stage), lanes);
}

void codegen::scheduleScatter(Stage &stage, LoweredRegion &region, bool parallel) {
  std::vector<Var> pure = pureInUpdate(stage);
  if (pure.empty())
    return;
  int lanes = region.target.traits.vectorLanes;
  Var column = pure.front(), block("block_of_scattered_columns");
  Halide::Stage update = stage.func.update();
  int width = parallel ? columnsOfBlock(stage, region, 8) : 0;
  bool cut = width > 0 && column.name() == stage.variables.front().name();
  if (cut)
    update.split(column, block, column, width);
  std::vector<Halide::VarOrRVar> order = {column};
  for (int k = 0; k < stage.domain.dimensions(); ++k)
    order.push_back(stage.domain[k]);
  if (cut)
    order.push_back(block);
  update.reorder(order).vectorize(column, lanes, TailStrategy::GuardWithIf);
  if (cut)
    update.parallel(block);
}
