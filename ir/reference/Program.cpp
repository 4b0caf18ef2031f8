// What variables and kernels mean.

#include "ir/reference/Evaluation.h"

using namespace mlir;

namespace axloom::ir::reference {
static LogicalResult compute(ReadOp op, Evaluation &e) {
  auto found = e.oldVariables.find(op.getVariable().str());
  if (found == e.oldVariables.end())
    return op.emitError("variable '") << op.getVariable() << "' has no value";
  e.result() = found->second;
  return success();
}

static LogicalResult compute(WriteOp op, Evaluation &e) {
  e.newVariables[op.getVariable().str()] = e.operand(op.getValue());
  return success();
}

static LogicalResult compute(KernelOp op, Evaluation &e) { return e.runRegion(op.getBody()); }

static LogicalResult compute(GradientOp op, Evaluation &) {
  return op.emitError("has to be differentiated before it can be interpreted");
}

void attachProgram(MLIRContext *context) { attach<ReadOp, WriteOp, KernelOp, GradientOp>(context); }
} // namespace axloom::ir::reference
