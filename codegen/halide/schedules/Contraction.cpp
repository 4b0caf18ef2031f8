// Contractions as matrix products from register tiles, with what follows them computed in the tile.
//
// 1. Axes collapse, so that batch and position are one row dimension and heads and depth one column
//    dimension.
// 2. Each contraction gets a MatrixPlan: the innermost dimension of its result are the columns; the
//    operand that has them is packed into panels, a pass over memory that is paid back by every
//    row; weights by a kernel of their own, so that programs which only read them pack them once.
// 3. The last function that all uses of the product go through (bias, ReLU, dropout, residual) is
//    computed in tiles; the output itself where nothing else is left to do.
// 4. What is left (LayerNorm's sums, a second result) runs along whole rows afterwards. Threads
//    take blocks of rows of the whole kernel then, so that a block is still in the cache for it.
// 5. Where blocks are few, threads share their columns, strip by strip (`shareColumns`).
// 6. Several contractions, as a loss over a vocabulary has them, go through their rows in chunks,
//    one after the other, so that what lies between them is in memory for one chunk at a time; so
//    does one of which nothing as large as its product is kept, such as a loss alone.
//
// The order of a sum follows k alone, never rows or columns: a token gives the same bits in any
// batch. Sums over tokens may be cut in halves (SumPlan.h), so that padding may change their last
// bits.

#include "codegen/halide/schedules/Contraction.h"

#include "codegen/KernelInfo.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/schedules/ColumnPlan.h"
#include "codegen/halide/schedules/MatrixTile.h"
#include "codegen/halide/schedules/PackOperands.h"
#include "codegen/halide/schedules/Stages.h"
#include "codegen/halide/schedules/SumPlan.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// The input that a value is, or nothing where ops stand between them.
static std::optional<unsigned> plainInput(Value value) {
  if (auto argument = llvm::dyn_cast<BlockArgument>(value))
    return argument.getArgNumber();
  return std::nullopt;
}

std::optional<int64_t> codegen::fixedColumns(ir::ContractOp op, const MatrixPlan &matrix) {
  return fixedExtent(op.getY(), matrix.column);
}

/// Panels as wide as the target likes, or narrower where fewer columns beyond the last one are then
/// computed and lost. Narrow ones need more loads for a multiply-add: they have to save a 64th.
static void choosePanel(MatrixPlan &matrix, ir::ContractOp op, const TargetTraits &traits) {
  int64_t lanes = traits.vectorLanes;
  // Halide sees that pairs of a vector are neighbours only in panels of two vectors.
  matrix.panel = matrix.pair > 1 ? 2 * lanes : traits.panel;
  std::optional<int64_t> columns = fixedColumns(op, matrix);
  auto computed = [&](int64_t panel) -> int64_t { return llvm::alignTo(*columns, panel); };
  for (int64_t panel = matrix.panel - lanes; columns && panel >= 2 * lanes; panel -= lanes)
    if (64 * computed(panel) < 63 * computed(matrix.panel))
      matrix.panel = panel;
}

/// Rows that one vector takes where a block's left operand is packed: half a vector's where they
/// are only copied, so that blocks need not have more rows than usual.
static int64_t rowsOfPackedVector(ir::ContractOp op, const MatrixPlan &matrix,
                                  const TargetTraits &traits) {
  bool copies = plainInput(leftOperand(op, matrix)) && matrix.pair == 1;
  return copies ? traits.vectorLanes / 2 : traits.vectorLanes;
}

/// Rows of a chunk, where a kernel goes through them in chunks. Shorter ones need less memory for
/// logits, and read and write the gradient of the weight more often. 12 blocks with AVX-512, which
/// two, three or four threads share evenly where a product has one block of columns, as one of bf16
/// with 512 columns has: steps of a small model (width 256, vocabulary 8,000) take up to 0.8 % less
/// than with 11, those of Transformer-base as long.
static constexpr int64_t usualChunk = 576;

/// Terms that a product sums at once: of a stretch, or all. Where they depend on a size symbol, as
/// those over tokens do: those of a chunk, or what a batch usually has.
static int64_t termsAtOnce(ir::ContractOp op, const MatrixPlan &matrix, const KernelPlan &plan) {
  constexpr int64_t usualTokens = 2048;
  if (matrix.stretch > 0)
    return matrix.stretch;
  AxisList summed;
  for (auto name : op.getOver().getAsRange<StringAttr>())
    summed.push_back(name.str());
  return fixedExtent(op.getA(), summed).value_or(plan.loops.empty() ? usualTokens : usualChunk);
}

/// Register tiles of a block: half as many where the rows of a long sum and the panel that passes
/// by would together take more than three quarters of the private cache. Blocks of four tiles and
/// less are left as they are: panels come from the shared cache for each of them.
static int64_t usualBlockTiles(const KernelPlan &plan, ir::KernelOp kernel,
                               const TargetTraits &traits) {
  constexpr int64_t fewest = 4;
  if (traits.blockTiles <= fewest)
    return traits.blockTiles;
  int64_t rows = traits.blockTiles * traits.tileRows;
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    int64_t bytesOfTerm = (rows + matrix.panel) * (matrix.pair > 1 ? 2 : 4),
            terms = termsAtOnce(contractionAt(kernel, index), matrix, plan);
    if (4 * bytesOfTerm * terms > 3 * traits.privateCacheBytes)
      return traits.blockTiles / 2;
  }
  return traits.blockTiles;
}

void codegen::chooseTiles(KernelPlan &plan, ir::KernelOp kernel, int64_t blockTiles,
                          const TargetTraits &traits, Choices &choices) {
  // Sums take as many vectors a row as a panel has, and one row of the panel has to be there too.
  int64_t many = traits.tileRows,
          most = traits.vectorRegisters * traits.vectorLanes / traits.panel - 1;
  bool pairs = llvm::any_of(plan.matrices, [](const MatrixPlan &m) { return m.pair > 1; });
  int64_t rows = choices.choose("tile rows", pairs ? traits.tileRowsOfPairs : many,
                                {many / 2, 2 * many / 3, many, most});
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    matrix.tileRows = rows * traits.panel / matrix.panel;
    matrix.blockTiles = std::max<int64_t>(1, blockTiles * many / matrix.tileRows);
    while (matrix.left == MatrixPlan::Left::Tiled &&
           matrix.blockRows() % rowsOfPackedVector(contractionAt(kernel, index), matrix, traits) !=
               0)
      ++matrix.blockTiles;
  }
}

/// The innermost dimension of a result that only the left operand has, or nothing.
static AxisList rowOf(const MatrixPlan &matrix, ir::ContractOp op,
                      ArrayRef<AxisList> dimensionsOfResult) {
  auto left = ir::tensorType(leftOperand(op, matrix)),
       right = ir::tensorType(rightOperand(op, matrix));
  for (const AxisList &dimension : dimensionsOfResult)
    if (dimension != matrix.column && left.has(dimension.front()) && !right.has(dimension.front()))
      return dimension;
  return {};
}

/// How the right operand is read.
static MatrixPlan::Right rightOf(const MatrixPlan &matrix, ir::ContractOp op) {
  Value right = rightOperand(op, matrix);
  if (!plainInput(right))
    return MatrixPlan::Right::Packed;
  bool fixed = llvm::all_of(ir::tensorType(right).getAxes(),
                            [](const ir::Axis &axis) { return axis.size().isFixed(); });
  return fixed ? MatrixPlan::Right::Prepared : MatrixPlan::Right::Packed;
}

/// How the left operand is read.
static MatrixPlan::Left leftOf(const MatrixPlan &matrix, ir::ContractOp op, ir::KernelOp kernel,
                               ArrayRef<std::string> axisOrder, const KernelPlan &plan) {
  Value left = leftOperand(op, matrix);
  std::optional<unsigned> input = plainInput(left);
  const AxisList innermost =
      input ? groupAxes(inputLayout(kernel, *input).getOrder(), plan.groups).back()
            : dimensionsOf(ir::tensorType(left), axisOrder, plan.groups).front();
  if (!isSummed(op, innermost))
    return MatrixPlan::Left::Tiled;
  if (matrix.pair > 1)
    return MatrixPlan::Left::Rounded;
  return input ? MatrixPlan::Left::Direct : MatrixPlan::Left::Kept;
}

std::optional<MatrixPlan> codegen::planMatrix(ir::ContractOp op, ir::KernelOp kernel,
                                              ArrayRef<std::string> axisOrder,
                                              const KernelPlan &plan, const TargetTraits &traits) {
  auto a = ir::tensorType(op.getA()), b = ir::tensorType(op.getB()), y = ir::tensorType(op.getY());
  if (!y.getElementType().isF32() || !a.getElementType().isF32())
    return std::nullopt;
  std::vector<AxisList> dimensions = dimensionsOf(y, axisOrder, plan.groups);
  if (dimensions.size() < 2 || op.getOver().empty())
    return std::nullopt;
  MatrixPlan matrix{.column = dimensions.front()};
  if (op.getFactors())
    matrix.pair = traits.brainFloatFactors;
  if (matrix.pair == 0)
    return std::nullopt;
  choosePanel(matrix, op, traits);
  bool inA = a.has(matrix.column.front()), inB = b.has(matrix.column.front());
  if (inA && inB)
    return std::nullopt;
  matrix.swapped = inA;
  matrix.row = rowOf(matrix, op, dimensions);
  if (matrix.row.empty())
    return std::nullopt;
  matrix.right = rightOf(matrix, op);
  matrix.left = leftOf(matrix, op, kernel, axisOrder, plan);
  return matrix;
}

namespace {
class Contraction : public Family {
public:
  llvm::StringRef name() const override { return "contraction"; }
  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &target) const override;
  void choose(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
              Choices &choices) const override;
  void schedule(LoweredRegion &region, const PlannedBlock &block) const override;
};

/// The sum over all rows that a result is, or null.
Operation *sumOverRows(Value result, const AxisList &rows) {
  Operation *op = result.getDefiningOp();
  bool sums = llvm::isa_and_nonnull<ir::ContractOp>(op);
  if (auto reduce = llvm::dyn_cast_or_null<ir::ReduceOp>(op))
    sums = reduce.getKind() == "sum";
  return sums && llvm::all_of(rows, [&](const std::string &axis) { return namesAxis(op, axis); })
             ? op
             : nullptr;
}

/// Has the runtime loop over chunks of rows, in parallel or else one after the other; then sums
/// over rows add up. Nothing is done where the kernel looks across rows in another way.
void loopOverRows(ir::KernelOp kernel, KernelPlan &plan, bool parallel) {
  const AxisList rows = plan.matrices.front().row;
  std::set<Operation *> sums;
  std::vector<unsigned> accumulated;
  for (OpOperand &yielded : kernel.getBody().front().getTerminator()->getOpOperands()) {
    unsigned index = yielded.getOperandNumber();
    if (!liesOutside(resultLayout(kernel, index), rows, plan.groups))
      return;
    if (ir::tensorType(yielded.get()).has(rows.front()))
      continue;
    Operation *sum = parallel ? nullptr : sumOverRows(yielded.get(), rows);
    bool isSingle = ir::tensorType(yielded.get()).getElementType().isF32();
    if (!sum || !sum->hasOneUse() || !isSingle)
      return;
    sums.insert(sum);
    accumulated.push_back(index);
  }
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!sums.count(&op) && !keepsApart(&op, rows))
      return;
  if (!inputsLieOutside(kernel, rows, plan.groups))
    return;
  plan.loops.push_back({.axes = rows, .parallel = parallel});
  plan.accumulated = accumulated;
}

/// Whether a result is as large as the product.
bool keepsProduct(ir::KernelOp kernel, const MatrixPlan &matrix) {
  return llvm::any_of(kernel.getResultTypes(), [&](Type type) {
    auto tensor = llvm::cast<ir::NamedTensorType>(type);
    return tensor.has(matrix.row.front()) && tensor.has(matrix.column.front());
  });
}

/// Whether a kernel packs an operand of its product, as a whole.
bool packs(const MatrixPlan &matrix) {
  return matrix.left == MatrixPlan::Left::Tiled || matrix.right == MatrixPlan::Right::Packed;
}

/// Whether a kernel goes on along whole rows once it has its product.
bool goesOnAlongRows(ir::KernelOp kernel, const MatrixPlan &matrix) {
  auto looksAlong = [&](Operation &op) {
    return !llvm::isa<ir::ContractOp>(op) &&
           llvm::any_of(matrix.column,
                        [&](const std::string &axis) { return namesAxis(&op, axis); });
  };
  return kernel.getNumResults() > 1 ||
         llvm::any_of(kernel.getBody().front().without_terminator(), looksAlong);
}

std::optional<KernelPlan> Contraction::plan(ir::KernelOp kernel, const Target &target) const {
  KernelPlan plan{
      .family = name().str(), .groups = collapsibleGroups(kernel), .blocks = {wholeKernel(kernel)}};
  std::vector<std::string> axisOrder = orderOfAxes(kernel);
  for (auto op : kernel.getBody().getOps<ir::ContractOp>()) {
    std::optional<MatrixPlan> matrix = planMatrix(op, kernel, axisOrder, plan, target.traits);
    if (!matrix)
      return std::nullopt;
    plan.matrices.push_back(*matrix);
  }
  if (plan.matrices.empty())
    return std::nullopt;
  const MatrixPlan &first = plan.matrices.front();
  bool several = plan.matrices.size() > 1;
  if (!several && !goesOnAlongRows(kernel, first))
    return plan;
  if (!several && !packs(first))
    loopOverRows(kernel, plan, /*parallel=*/true);
  // Of a sum over rows, such as a loss, no more of the product lies in memory than a chunk.
  if (plan.loops.empty() && (several || !keepsProduct(kernel, first)))
    loopOverRows(kernel, plan, /*parallel=*/false);
  return plan;
}

void Contraction::choose(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
                         Choices &choices) const {
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    ir::ContractOp op = contractionAt(kernel, index);
    matrix.parts = partsOfSum(op, kernel, matrix, plan, traits);
    matrix.stretch = stretchOfSum(op, kernel, matrix, plan, traits);
  }
  int64_t tiles = usualBlockTiles(plan, kernel, traits);
  tiles = choices.choose("tiles of a block", tiles, {std::max<int64_t>(1, tiles / 2), 2 * tiles});
  chooseTiles(plan, kernel, tiles, traits, choices);
  // Whole blocks of the usual number of rows, whose last tiles are not cut.
  auto chunk = [&](int64_t rows) -> int64_t {
    return llvm::alignTo(rows, traits.blockTiles * traits.tileRows);
  };
  for (PlannedLoop &loop : plan.loops)
    loop.chunk = loop.parallel ? plan.matrices.front().blockRows()
                               : choices.choose("rows of a chunk", chunk(usualChunk),
                                                {chunk(256), chunk(1024), chunk(2048)});
  chooseBlockColumns(plan, kernel, traits, choices);
  for (auto [index, matrix] : llvm::enumerate(plan.matrices))
    matrix.packsColumns = packsColumns(contractionAt(kernel, index), matrix, plan, traits);
}

void Contraction::schedule(LoweredRegion &region, const PlannedBlock &) const {
  std::set<const Stage *> scheduled;
  for (auto op : region.kernel.getBody().getOps<ir::ContractOp>()) {
    const MatrixPlan &matrix = *planOf(op, region);
    Stage &product = *region.find(op, roles::productSum);
    if (matrix.stretch > 0) {
      scheduleByStretches(product, matrix, region);
      scheduled.insert(&product);
      scheduled.merge(schedulePacking(op, region));
      continue;
    }
    // What comes behind parts reads all of them.
    Stage *tiled = matrix.parts > 1 ? nullptr : endOfEpilogue(product, region);
    scheduleMatrix(product, tiled, matrix, region);
    scheduled.insert(&product);
    if (tiled)
      scheduled.insert(tiled);
    scheduled.merge(schedulePacking(op, region));
  }
  scheduleRest(region, scheduled);
}
} // namespace

const Family &codegen::contractionFamily() {
  static const Contraction family;
  return family;
}
