#include "passes/Erase.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

void axloom::passes::eraseUnused(Value value) {
  SmallVector<Operation *> candidates = {value.getDefiningOp()};
  llvm::SmallPtrSet<Operation *, 16> erased;
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (!op || erased.contains(op) || !isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      candidates.push_back(operand.getDefiningOp());
    erased.insert(op);
    op->erase();
  }
}
