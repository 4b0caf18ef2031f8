#include "codegen/halide/schedules/SumPlan.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

bool codegen::packsBoth(const MatrixPlan &matrix) {
  return matrix.left == MatrixPlan::Left::Tiled && matrix.right == MatrixPlan::Right::Packed;
}

/// Terms of a stretch of a long sum, so that what it reads of both operands stays in the shared
/// cache; 0: all of them, where it is not long.
static int64_t stretchOfLongSum(int64_t length, int64_t pair) {
  constexpr int64_t isLong = 8192, usual = 1024, least = 768, most = 1536;
  if (length < isLong)
    return 0;
  for (int64_t stretch = most; stretch >= least; stretch -= pair)
    if (length % stretch == 0) // no last one that is shorter
      return stretch;
  return usual;
}

/// The dimension that a product sums over, where that is one and the result is a matrix.
static std::optional<AxisList> onlySummed(ir::ContractOp op, ir::KernelOp kernel,
                                          const KernelPlan &plan) {
  std::vector<std::string> axisOrder = orderOfAxes(kernel);
  auto dimensions = [&](Value value) {
    return dimensionsOf(ir::tensorType(value), axisOrder, plan.groups);
  };
  std::vector<AxisList> summed = dimensions(op.getA());
  llvm::erase_if(summed, [&](const AxisList &dimension) { return !isSummed(op, dimension); });
  if (summed.size() != 1 || dimensions(op.getY()).size() != 2)
    return std::nullopt;
  return summed.front();
}

int64_t codegen::partsOfSum(ir::ContractOp op, ir::KernelOp kernel, const MatrixPlan &matrix,
                            const KernelPlan &plan, const TargetTraits &traits) {
  constexpr int64_t usualParts = 2, shortest = 256;
  std::optional<AxisList> summed = onlySummed(op, kernel, plan);
  if (!packsBoth(matrix) || !plan.loops.empty() || !summed)
    return 1;
  bool isLong = fixedExtent(op.getA(), *summed).value_or(shortest) >= shortest;
  std::optional<int64_t> rows = fixedExtent(op.getY(), matrix.row),
                         columns = fixedExtent(op.getY(), matrix.column);
  bool isSmall = rows && columns && *rows * *columns * int64_t(sizeof(float)) <= traits.partedBytes;
  return isLong && isSmall ? usualParts : 1;
}

int64_t codegen::stretchOfSum(ir::ContractOp op, ir::KernelOp kernel, const MatrixPlan &matrix,
                              const KernelPlan &plan, const TargetTraits &traits) {
  std::optional<AxisList> summed = onlySummed(op, kernel, plan);
  if (!summed || plan.dividesAmongThreads() || matrix.parts > 1)
    return 0;
  std::optional<int64_t> length = fixedExtent(op.getA(), *summed);
  if (matrix.left != MatrixPlan::Left::Tiled)
    return stretchOfLongSum(length.value_or(0), matrix.pair);
  bool isShort = length && *length <= traits.packedTerms;
  return packsBoth(matrix) && plan.loops.empty() && !isShort ? traits.packedTerms : 0;
}
