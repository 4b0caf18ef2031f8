#include "codegen/KernelLimits.h"

#include "ir/Ragged.h"
#include "passes/KernelOps.h"
#include "runtime/abi/axloom.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static_assert(passes::mostTensors < AXL_MAX_OPERANDS);

/// The axes of an operand in the runtime, which gives an entry of a ragged batch an axis for each
/// of its lengths.
static size_t rankOf(const CompiledKernel &code, size_t operand) {
  size_t rank = code.operands[operand].dimensions.size();
  if (code.ragged)
    for (const RaggedOperand &ragged : code.ragged->operands)
      if (size_t(ragged.operand) == operand)
        rank += ragged.lengths.size();
  return rank;
}

LogicalResult codegen::checkLimits(ir::KernelOp op, const CompiledKernel &code) {
  if (code.operands.size() > AXL_MAX_OPERANDS || code.scalars.size() > AXL_MAX_SIZES)
    return op.emitError("works on ")
           << code.operands.size() << " tensors and " << code.scalars.size()
           << " scalars; one kernel can have " << AXL_MAX_OPERANDS << " and " << AXL_MAX_SIZES
           << "; pass or declare several of the tensors as one, and take slices of that";
  for (auto [index, operand] : llvm::enumerate(code.operands)) {
    if (size_t rank = rankOf(code, index); rank > AXL_MAX_RANK)
      return mlir::emitError(operand.location, "a tensor of ")
             << rank << " axes would lie in memory between two kernels; it can have at most "
             << AXL_MAX_RANK << ": merge some of them here";
    if (!operand.isResult)
      continue;
    std::optional<ir::RaggedPart> part =
        ir::raggedPart(ir::tensorType(op->getResult(operand.index)));
    if (part && part->axes.size() > AXL_MAX_FACTORS)
      return mlir::emitError(operand.location, "a tensor of ")
             << part->axes.size() << " ragged axes would lie in memory between two kernels; it can "
             << "have at most " << AXL_MAX_FACTORS << ": give some of them a padded size";
  }
  return success();
}
