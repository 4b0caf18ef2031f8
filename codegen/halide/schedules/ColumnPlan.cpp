#include "codegen/halide/schedules/ColumnPlan.h"

#include "codegen/halide/schedules/Contraction.h"
#include "codegen/halide/schedules/SumPlan.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// Columns of a block, whole panels: as few blocks as `most` columns allow, none wider than they
/// need be.
static int64_t evenColumns(int64_t most, int64_t all, int64_t panel) {
  int64_t panels = std::max<int64_t>(1, llvm::divideCeil(all, panel)),
          blocks = llvm::divideCeil(panels, most / panel);
  return int64_t(llvm::divideCeil(panels, blocks)) * panel;
}

/// Whether a product packs both operands of a chunk of rows; chunks come one after the other.
static bool packsBothOfChunk(const MatrixPlan &matrix, const KernelPlan &plan) {
  return packsBoth(matrix) && !plan.loops.empty() && !plan.dividesAmongThreads();
}

/// Whether these columns of a chunk, packed, stay in the shared cache while rows pass by.
static bool columnsStayShared(int64_t columns, const KernelPlan &plan, const TargetTraits &traits) {
  return plan.loops.front().chunk * columns * int64_t(sizeof(float)) <= traits.sharedCacheBytes / 2;
}

/// Whether a chunk is one block of rows.
static bool isOneBlock(const MatrixPlan &matrix, const KernelPlan &plan) {
  const PlannedLoop *loop = plan.loopOver(matrix.row);
  return loop && loop->parallel;
}

/// Columns of a block: fewer than usual where the blocks would be too few for threads to get equal
/// shares of them. With AVX-512, a gradient of 512 x 512 that is one sum has 11 blocks of 48 rows,
/// the last of which is not full. All of them where a chunk's result has many rows, which come
/// packed, and few blocks of columns: nobody else reads the rows of a block then, so it packs them
/// itself, and they stay in its cache.
static int64_t balancedColumns(int64_t columns, ir::ContractOp op, const MatrixPlan &matrix,
                               const KernelPlan &plan, const TargetTraits &traits) {
  std::optional<int64_t> rows = fixedExtent(op.getY(), matrix.row), all = fixedColumns(op, matrix);
  if (const PlannedLoop *loop = plan.loopOver(matrix.row))
    rows = loop->chunk;
  // Rows that are rounded for each block would be rounded again and again.
  bool rounds = matrix.left == MatrixPlan::Left::Rounded;
  if (all && isOneBlock(matrix, plan)) // nothing else passes by
    return llvm::alignTo(*all, matrix.panel);
  if (all)
    columns = evenColumns(columns, *all, matrix.panel);
  if (!rows || !all || rounds || plan.dividesAmongThreads())
    return columns;
  int64_t blocksOfRows = llvm::divideCeil(*rows, matrix.blockRows()) * matrix.parts;
  auto blocksOfColumns = [&]() -> int64_t { return llvm::divideCeil(*all, columns); };
  int64_t blocks = traits.blocksForThreads;
  if (packsBothOfChunk(matrix, plan) && blocksOfRows >= blocks && blocksOfColumns() < blocks &&
      columnsStayShared(*all, plan, traits))
    return llvm::alignTo(*all, matrix.panel);
  while (columns / 2 >= matrix.panel && blocksOfRows * blocksOfColumns() < blocks)
    columns = llvm::alignTo(columns / 2, matrix.panel);
  return columns;
}

bool codegen::packsColumns(ir::ContractOp op, const MatrixPlan &matrix, const KernelPlan &plan,
                           const TargetTraits &traits) {
  std::optional<int64_t> columns = fixedColumns(op, matrix);
  return packsBothOfChunk(matrix, plan) && traits.packedTerms > 0 && columns &&
         int64_t(llvm::divideCeil(*columns, matrix.blockColumns)) >= traits.blocksForThreads;
}

int64_t codegen::columnsOfStrip(const MatrixPlan &matrix, int64_t blockColumns,
                                const TargetTraits &traits) {
  int64_t panels = std::max<int64_t>(1, 8 * traits.vectorLanes / matrix.panel);
  while (blockColumns / matrix.panel % panels != 0)
    --panels;
  return panels * matrix.panel;
}

void codegen::chooseBlockColumns(KernelPlan &plan, ir::KernelOp kernel, const TargetTraits &traits,
                                 Choices &choices) {
  int64_t usual = 32 * traits.vectorLanes;
  std::vector<int64_t> others;
  for (auto [index, matrix] : llvm::enumerate(plan.matrices))
    for (int64_t columns : {usual / 2, 2 * usual})
      if (!isOneBlock(matrix, plan) &&
          fixedColumns(contractionAt(kernel, index), matrix).value_or(INT64_MAX) >
              std::min(columns, usual))
        others.push_back(columns);
  int64_t columns = choices.choose("columns of a block", usual, others);
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    matrix.blockColumns =
        balancedColumns(columns, contractionAt(kernel, index), matrix, plan, traits);
    matrix.stripColumns = columnsOfStrip(matrix, matrix.blockColumns, traits);
  }
}
