#include "codegen/host/IndexLimits.h"

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom;

/// The smaller of two limits, where 0 is none.
static int64_t tighter(int64_t a, int64_t b) { return a && b ? std::min(a, b) : std::max(a, b); }

static int64_t fixedExtent(Type tensor, StringRef axis) {
  ir::SizeAttr size = llvm::cast<ir::NamedTensorType>(tensor).sizeOf(axis);
  return size && size.isFixed() ? size.getFactor() : 0;
}

/// The limit that this use alone sets.
static int64_t limitOfUse(OpOperand &use) {
  Operation *op = use.getOwner();
  Value value = use.get();
  if (auto gather = llvm::dyn_cast<ir::GatherOp>(op))
    return value == gather.getIndices() ? fixedExtent(gather.getTable().getType(), gather.getAxis())
                                        : 0;
  if (auto scatter = llvm::dyn_cast<ir::ScatterAddOp>(op))
    return value == scatter.getIndices() ? fixedExtent(scatter.getY().getType(), scatter.getAxis())
                                         : 0;
  if (auto update = llvm::dyn_cast<ir::UpdateOp>(op))
    return value == update.getIndex() ? fixedExtent(update.getX().getType(), update.getAxis()) : 0;
  if (auto loss = llvm::dyn_cast<ir::CrossEntropyOp>(op))
    return value == loss.getLabels() ? fixedExtent(loss.getLogits().getType(), loss.getAxis()) : 0;
  if (auto loss = llvm::dyn_cast<ir::LinearCrossEntropyOp>(op))
    return value == loss.getLabels() ? fixedExtent(loss.getW().getType(), loss.getClasses()) : 0;
  if (llvm::isa<ir::RenameOp, ir::SplitOp, ir::MergeOp, ir::BroadcastOp>(op))
    return codegen::indexLimit(op->getResult(0));
  if (auto kernel = llvm::dyn_cast<ir::KernelOp>(op))
    return codegen::indexLimit(kernel.getBody().getArgument(use.getOperandNumber()));
  if (auto yield = llvm::dyn_cast<ir::YieldOp>(op))
    return codegen::indexLimit(yield->getParentOp()->getResult(use.getOperandNumber()));
  return 0;
}

int64_t codegen::indexLimit(Value value) {
  auto type = llvm::dyn_cast<ir::NamedTensorType>(value.getType());
  if (!type || !type.getElementType().isInteger(32))
    return 0;
  int64_t limit = 0;
  for (OpOperand &use : value.getUses())
    limit = tighter(limit, limitOfUse(use));
  return limit;
}
