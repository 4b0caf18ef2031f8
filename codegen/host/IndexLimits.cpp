#include "codegen/host/IndexLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace axloom;

using Limits = SmallVector<ir::SizeAttr>;

/// A size that is no smaller than others adds nothing; of two that a call decides, nobody knows.
static void add(Limits &limits, ir::SizeAttr size) {
  auto isFixed = [](ir::SizeAttr limit) { return limit.isFixed(); };
  auto *known = size.isFixed() ? llvm::find_if(limits, isFixed) : llvm::find(limits, size);
  if (known == limits.end())
    limits.push_back(size);
  else if (size.getFactor() < known->getFactor())
    *known = size;
}

static Limits sizeOf(Value tensor, StringRef axis) {
  ir::SizeAttr size = ir::tensorType(tensor).sizeOf(axis);
  return size ? Limits{size} : Limits();
}

/// The limits that this use alone sets.
static Limits limitsOfUse(OpOperand &use) {
  Operation *op = use.getOwner();
  Value value = use.get();
  if (auto gather = llvm::dyn_cast<ir::GatherOp>(op))
    return value == gather.getIndices() ? sizeOf(gather.getTable(), gather.getAxis()) : Limits();
  if (auto scatter = llvm::dyn_cast<ir::ScatterAddOp>(op))
    return value == scatter.getIndices() ? sizeOf(scatter.getY(), scatter.getAxis()) : Limits();
  if (auto update = llvm::dyn_cast<ir::UpdateOp>(op))
    return value == update.getIndex() ? sizeOf(update.getX(), update.getAxis()) : Limits();
  if (auto loss = llvm::dyn_cast<ir::CrossEntropyOp>(op))
    return value == loss.getLabels() ? sizeOf(loss.getLogits(), loss.getAxis()) : Limits();
  if (auto loss = llvm::dyn_cast<ir::LinearCrossEntropyOp>(op))
    return value == loss.getLabels() ? sizeOf(loss.getW(), loss.getClasses()) : Limits();
  if (llvm::isa<ir::RenameOp, ir::SplitOp, ir::MergeOp, ir::BroadcastOp>(op))
    return codegen::indexLimits(op->getResult(0));
  if (auto kernel = llvm::dyn_cast<ir::KernelOp>(op))
    return codegen::indexLimits(kernel.getBody().getArgument(use.getOperandNumber()));
  if (auto yield = llvm::dyn_cast<ir::YieldOp>(op))
    return codegen::indexLimits(yield->getParentOp()->getResult(use.getOperandNumber()));
  return {};
}

Limits codegen::indexLimits(Value value) {
  auto type = llvm::dyn_cast<ir::NamedTensorType>(value.getType());
  Limits limits;
  if (type && type.getElementType().isInteger(32))
    for (OpOperand &use : value.getUses())
      for (ir::SizeAttr size : limitsOfUse(use))
        add(limits, size);
  return limits;
}
