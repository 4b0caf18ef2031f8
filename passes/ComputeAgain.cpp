#include "passes/ComputeAgain.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

Operation *axloom::passes::computeAgain(Operation *op, ArrayRef<OpOperand *> uses, Attribute mark) {
  Operation *first = uses.front()->getOwner();
  for (OpOperand *use : uses)
    if (use->getOwner()->isBeforeInBlock(first))
      first = use->getOwner();
  Operation *again = OpBuilder(first).clone(*op);
  again->setAttr(recomputedMark, mark);
  for (OpOperand *use : uses)
    use->set(again->getResult(cast<OpResult>(use->get()).getResultNumber()));
  return again;
}
