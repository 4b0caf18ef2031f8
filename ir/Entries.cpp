#include "ir/Entries.h"

using namespace mlir;
using namespace axloom::ir;

static bool has(Value value, StringAttr axis) { return tensorType(value).has(axis.getValue()); }

static bool readsAxis(Operation *op, StringAttr axis) {
  return llvm::any_of(op->getOperands(), [&](Value operand) { return has(operand, axis); });
}

bool axloom::ir::isSumOver(OpResult result, StringAttr axis) {
  Operation *op = result.getOwner();
  bool gone = !has(result, axis) && readsAxis(op, axis);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return gone && reduce.getKind() == "sum";
  return gone && isa<ContractOp, ScatterAddOp, AttentionGradientOp, LinearCrossEntropyOp>(op);
}

StringRef axloom::ir::whyNotByEntry(Operation *op, StringAttr entries) {
  for (OpResult result : op->getResults())
    if (!has(result, entries) && readsAxis(op, entries) && !isSumOver(result, entries))
      return "it may only add up along that axis";
  auto along = op->getAttrOfType<StringAttr>("axis");
  if (along == entries && !isa<IotaOp>(op))
    return "it looks at other entries";
  if (isa<RenameOp, MergeOp, SplitOp>(op) && has(op->getResult(0), entries) &&
      !readsAxis(op, entries))
    return "it makes that axis of another one";
  return "";
}
