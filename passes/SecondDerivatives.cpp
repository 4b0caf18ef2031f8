#include "passes/SecondDerivatives.h"

#include "ir/Dialect.h"
#include "passes/Remarks.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

std::string passes::whyNoSecondDerivatives(func::FuncOp function) {
  llvm::DenseSet<Value> gradients; // and what is computed from them
  for (Operation &op : function.getOps()) {
    auto gradient = llvm::dyn_cast<GradientOp>(op);
    bool depends =
        llvm::any_of(op.getOperands(), [&](Value operand) { return gradients.contains(operand); });
    if (gradient && gradients.contains(gradient.getLoss()))
      return nameOf(gradient) + " is one of a gradient, and fused ops have no second derivative";
    if (gradient || depends)
      gradients.insert(op.result_begin(), op.result_end());
  }
  return "";
}
