#include "ir/Parts.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace axloom::ir;

/// The elements that one of a value is chosen from.
static unsigned countParts(Value value, llvm::SmallDenseMap<Operation *, unsigned> &known) {
  Operation *op = value.getDefiningOp();
  if (!llvm::isa_and_nonnull<RenameOp, SplitOp, MergeOp, SliceOp, ConcatOp, BroadcastOp, CastOp,
                             NegOp, NotOp>(op))
    return 1;
  if (unsigned parts = known.lookup(op))
    return parts;
  unsigned parts = 0;
  for (Value x : op->getOperands()) {
    unsigned own = countParts(x, known);
    parts += own > mostParts ? 1 : own; // else kept
  }
  return known[op] = parts;
}

bool axloom::ir::readsManyParts(ConcatOp op) {
  llvm::SmallDenseMap<Operation *, unsigned> known;
  return countParts(op.getY(), known) > mostParts;
}
