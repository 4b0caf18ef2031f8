// Feed-forward blocks: two contractions of which the second sums over the columns of the first, the
// hidden activations of a token. Those of a block of tokens stay in cache between the two.
//
// 1. Both contractions are matrices whose rows are tokens; nothing else in the kernel looks across
//    tokens.
// 2. Tokens are cut into blocks of whole register tiles, as many as leave at least half of the
//    private cache to weights, inputs and results. Threads take blocks and, where these are few,
//    share the columns of a block's products. Where a block would have few tokens and the weights
//    do not stay in the shared cache, the kernel is left to another family.
// 3. The hidden activations of a block are computed in register tiles into scratch memory of
//    constant size; then the second product is, in register tiles that read them.
// 4. Where the kernel has one result, what follows the second product (residual, LayerNorm) is
//    computed while the block is in cache; else afterwards, along whole rows.
//
// Sums follow their own index alone: a token gives the same bits in any block.
// Test: tests/codegen/halide/FeedForwardTest.cpp.

#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/schedules/ColumnPlan.h"
#include "codegen/halide/schedules/Contraction.h"
#include "codegen/halide/schedules/MatrixTile.h"
#include "codegen/halide/schedules/PackOperands.h"
#include "codegen/halide/schedules/Stages.h"
#include "codegen/halide/schedules/Sums.h"
#include "ir/Ragged.h"

#include <numeric>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

namespace {
/// y = second(.. first(x, w1) .., w2)
struct Pair {
  ir::ContractOp first, second;
};

std::optional<Pair> contractionsOf(ir::KernelOp kernel) {
  auto all = llvm::to_vector(kernel.getBody().getOps<ir::ContractOp>());
  if (all.size() != 2)
    return std::nullopt;
  return Pair{all[0], all[1]};
}

/// Whether a value is computed from `source`.
bool comesFrom(Value value, Value source) {
  llvm::SetVector<Value> open;
  open.insert(value);
  for (size_t next = 0; next < open.size(); ++next)
    if (Operation *op = open[next].getDefiningOp())
      open.insert(op->operand_begin(), op->operand_end());
  return open.contains(source);
}

/// Elements of a matrix of known size; else 0.
int64_t elementsOf(Value matrix) {
  ir::SizeAttr count = ir::elementCount(ir::tensorType(matrix));
  return count.isFixed() ? count.getFactor() : 0;
}

/// Bytes that a hidden activation counts for, also where it is rounded to bf16: with twice as many
/// tokens a block, forwards in bf16 take 2 % longer (width 512, 2048 tokens on a Zen 4), with 64
/// tokens in all 9 %.
constexpr int64_t bytesOfHidden = sizeof(float);

/// Bytes that the hidden activations of a block usually take: half of the private cache. The more
/// tokens, the more tiles share a panel of weights that has to come from the shared cache; but
/// larger blocks give threads unequal shares: where the cache is twice as large (2 MB), blocks of
/// twice as many tokens make forwards as fast at best, and 8 % slower while other programs run.
int64_t usualBytesOfBlock(const TargetTraits &traits) {
  constexpr int64_t most = 512 << 10;
  return std::min(most, traits.privateCacheBytes / 2);
}

/// Whether a block has enough tokens to be worth its reading all weights. Those that do not stay in
/// the shared cache come from memory each time: forwards on a Zen 5 with 30 tokens a block took
/// 7 % longer then than with products by themselves, with 42 tokens 3 %, with 61 tokens 2 % less.
bool fillsBlocks(int64_t hidden, int64_t weights, const MatrixPlan &second,
                 const TargetTraits &traits) {
  constexpr int64_t enough = 48;
  int64_t bytesOfWeight = int64_t(sizeof(float)) / second.pair;
  return weights * bytesOfWeight <= traits.sharedCacheBytes / 2 ||
         enough * hidden * bytesOfHidden <= usualBytesOfBlock(traits);
}

/// Whether each token's results come of its own elements alone.
bool keepsTokensApart(ir::KernelOp kernel, const AxisList &token) {
  return llvm::all_of(kernel.getBody().front().without_terminator(), [&](Operation &op) {
    if (auto norm = llvm::dyn_cast<ir::LayerNormOp>(op))
      return !llvm::is_contained(token, norm.getAxis());
    return op.hasTrait<ir::Pointwise>() ||
           llvm::isa<ir::ContractOp, ir::RandomOp, ir::ConstantOp, ir::BroadcastOp>(op);
  });
}

class FeedForward : public Family {
public:
  llvm::StringRef name() const override { return "feed_forward"; }
  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override;
  void choose(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
              Choices &choices) const override;
  void schedule(LoweredRegion &region, const PlannedBlock &block) const override;
};
} // namespace

std::optional<KernelPlan> FeedForward::plan(ir::KernelOp kernel, const Target &target) const {
  std::optional<Pair> pair = contractionsOf(kernel);
  if (!pair)
    return std::nullopt;
  KernelPlan plan{
      .family = name().str(), .groups = collapsibleGroups(kernel), .blocks = {wholeKernel(kernel)}};
  std::vector<std::string> axisOrder = orderOfAxes(kernel);
  for (ir::ContractOp op : {pair->first, pair->second}) {
    auto matrix = planMatrix(op, kernel, axisOrder, plan, target.traits);
    bool isMatrix = matrix && dimensionsOf(ir::tensorType(op.getY()), axisOrder, plan.groups) ==
                                  std::vector<AxisList>{matrix->column, matrix->row};
    if (!isMatrix)
      return std::nullopt;
    plan.matrices.push_back(*matrix);
  }
  MatrixPlan &first = plan.matrices[0], &second = plan.matrices[1];
  Value hidden = leftOperand(pair->second, second), weight = rightOperand(pair->second, second),
        firstWeight = rightOperand(pair->first, first);
  bool chained = comesFrom(hidden, pair->first.getY()) && !comesFrom(weight, pair->first.getY()) &&
                 dimensionsOf(ir::tensorType(hidden), axisOrder, plan.groups) ==
                     std::vector<AxisList>{first.column, first.row};
  std::optional<int64_t> columns = fixedColumns(pair->first, first);
  if (!chained || !columns || first.row != second.row || !keepsTokensApart(kernel, first.row) ||
      !fillsBlocks(*columns, elementsOf(firstWeight) + elementsOf(weight), second, target.traits))
    return std::nullopt;
  // It is in scratch memory, its columns side by side; rounded as it is written there.
  second.left = second.pair > 1 ? MatrixPlan::Left::Rounded : MatrixPlan::Left::Direct;
  return plan;
}

void FeedForward::choose(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
                         Choices &choices) const {
  chooseTiles(plan, kernel, traits.blockTiles, traits, choices);
  int64_t usual = usualBytesOfBlock(traits) / 1024;
  int64_t bytes =
      choices.choose("kilobytes of hidden values", usual, {usual / 2, 2 * usual}) * 1024;
  for (MatrixPlan &matrix : plan.matrices)
    matrix.stripColumns = columnsOfStrip(matrix, /*blockColumns=*/0, traits);
  const MatrixPlan &first = plan.matrices[0], &second = plan.matrices[1];
  int64_t hidden = *fixedColumns(contractionAt(kernel, 0), first);
  // Whole tiles of both products, since no tile may read beyond the block.
  int64_t tile = std::lcm(first.tileRows, second.tileRows);
  plan.rowsInCache = std::max<int64_t>(1, bytes / bytesOfHidden / hidden / tile) * tile;
}

namespace {
/// A function that is computed in register tiles, its dimensions, and its sums.
struct TiledProduct {
  Func func;
  Var column, row;
  Stage *product;
  Stage *last; // what follows the sums in the tile; null: nothing
  const MatrixPlan &matrix;
};

/// `rounded`: what rounds the product's result for the one that reads it, or null.
TiledProduct tiledProduct(ir::ContractOp op, Stage *rounded, LoweredRegion &region) {
  const MatrixPlan &matrix = *planOf(op, region);
  Stage *product = region.find(op, roles::productSum);
  Stage *last = rounded ? rounded : endOfEpilogue(*product, region);
  const Stage &shape = last ? *last : *product;
  return {last ? last->func : product->func.in(),
          variableFor(shape, matrix.column, *product),
          variableFor(shape, matrix.row, *product),
          product,
          last,
          matrix};
}

/// The sums along the rows of a block, if all that is left to keep are such sums: LayerNorm's.
std::optional<std::vector<Stage *>> rowSums(LoweredRegion &region,
                                            const std::set<const Stage *> &scheduled) {
  std::vector<Stage *> sums;
  auto kept = keptStages(region);
  for (auto &stage : region.stages)
    if (kept.count(stage.get()) && !scheduled.count(stage.get())) {
      if (!stage->alongRows || stage->dimensions.size() != 1)
        return std::nullopt;
      sums.push_back(stage.get());
    }
  return sums;
}

/// Cuts a function into tiles, whose columns threads share. Returns the loops, innermost first.
std::vector<Halide::VarOrRVar> tilesOf(TiledProduct &tiled, LoweredRegion &region) {
  std::vector<Halide::VarOrRVar> loops =
      registerTiles(tiled.func, tiled.column, tiled.row, *tiled.product, tiled.matrix, region);
  loops.push_back(shareColumns(tiled.func, tiled.column, tiled.matrix));
  return loops;
}

/// Tiles of a function that is computed for one block of `driver`.
void tileInBlock(TiledProduct &tiled, const Func &driver, const Var &block, int tokens,
                 LoweredRegion &region) {
  int lanes = region.target.traits.vectorLanes;
  std::optional<int64_t> columns = region.fixedExtent(tiled.matrix.column);
  tiled.func.compute_at(driver, block).bound_storage(tiled.row, tokens);
  if (columns)
    tiled.func.bound_storage(tiled.column, paddedRow(*columns, lanes));
  tiled.func.reorder(tilesOf(tiled, region));
}
} // namespace

void FeedForward::schedule(LoweredRegion &region, const PlannedBlock &) const {
  Pair pair = *contractionsOf(region.kernel);
  TiledProduct hidden =
                   tiledProduct(pair.first, region.find(pair.second, roles::roundedLeft), region),
               result = tiledProduct(pair.second, nullptr, region);
  // What comes before rounding is computed in place, however large.
  std::set<const Stage *> scheduled = {hidden.product, result.product, hidden.last, result.last,
                                       endOfEpilogue(*hidden.product, region)};
  for (ir::ContractOp op : {pair.first, pair.second})
    scheduled.merge(schedulePacking(op, region));
  if (Stage *groups = region.find(pair.first, roles::tiledLeft))
    packWhole(*groups, region);

  Stage *input = region.find(pair.first, roles::roundedLeft);
  int tokens = region.plan.rowsInCache;
  Var block("block_of_tokens");
  auto cut = [&](Func func, const Var &row, int count) {
    func.compute_root().split(row, block, row, count, TailStrategy::GuardWithIf).parallel(block);
  };
  Stage *output = region.outputs.size() == 1 ? region.outputs.front().stage : nullptr;
  auto sums = output && output != result.last ? rowSums(region, scheduled) : std::nullopt;
  if (!sums) {
    std::vector<Halide::VarOrRVar> order = tilesOf(result, region);
    cut(result.func, result.row, tokens / int(result.matrix.tileRows)); // rows of tiles
    order.push_back(block);
    result.func.reorder(order);
    tileInBlock(hidden, result.func, block, tokens, region);
    if (input)
      roundRows(*input, result.func, block, region);
    return scheduleRest(region, scheduled);
  }
  int lanes = region.target.traits.vectorLanes;
  Var row = variableFor(*output, result.matrix.row, *result.product);
  Var column = variableFor(*output, result.matrix.column, *result.product);
  cut(output->func, row, tokens);
  output->func.reorder(column, row, block).vectorize(column, lanes, TailStrategy::GuardWithIf);
  for (Stage *sum : *sums) {
    sum->func.compute_at(output->func, block).bound_storage(sum->variables.front(), tokens);
    sumInLanes(*sum, lanes);
  }
  tileInBlock(result, output->func, block, tokens, region);
  tileInBlock(hidden, output->func, block, tokens, region);
  if (input)
    roundRows(*input, output->func, block, region);
}

const Family &codegen::feedForwardFamily() {
  static const FeedForward family;
  return family;
}
