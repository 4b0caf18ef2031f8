#include "ir/Entries.h"

#include "ir/Ragged.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace axloom::ir;

static bool has(Value value, StringAttr axis) { return tensorType(value).has(axis.getValue()); }

static bool readsAxis(Operation *op, StringAttr axis) {
  return llvm::any_of(op->getOperands(), [&](Value operand) { return has(operand, axis); });
}

StringAttr axloom::ir::entriesOf(Operation *op) {
  StringAttr entries;
  auto visit = [&](SizeAttr size) {
    if (StringAttr over = size.getRaggedOver())
      entries = over;
  };
  for (Type type : llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()))
    if (auto tensor = dyn_cast<NamedTensorType>(type))
      for (const Axis &axis : tensor.getAxes())
        visit(axis.size());
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (auto size = dyn_cast<SizeAttr>(attribute.getValue()))
      visit(size);
  return entries;
}

bool axloom::ir::renamesEntries(Operation *op) {
  auto rename = dyn_cast<RenameOp>(op);
  std::optional<RaggedPart> part =
      rename ? raggedPart(tensorType(rename.getX())) : std::optional<RaggedPart>();
  return part && part->partner == rename.getFromAttr();
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
  auto merge = dyn_cast<MergeOp>(op);
  bool isMade = isa<RenameOp, MergeOp, SplitOp>(op) && has(op->getResult(0), entries) &&
                !readsAxis(op, entries);
  if (isMade || (merge && llvm::is_contained(merge.getAxes(), entries)))
    return "it makes that axis of another one";
  return "";
}
