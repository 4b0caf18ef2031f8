// What ops mean that the user's program defines: its own function, applied at each point.

#include "ir/reference/Evaluation.h"

#include "llvm/Support/InterleavedRange.h"

#include <exception>

using namespace mlir;

namespace axloom::ir::reference {
static LogicalResult compute(CustomOp op, Evaluation &e) {
  const CustomDefinition *definition = op.requireDefinition();
  if (!definition)
    return failure();
  Array &y = e.result();
  SmallVector<Read> inputs;
  for (Value operand : op.getInputs())
    inputs.emplace_back(e.operand(operand), y.space);
  Write to(y, y.space);
  SmallVector<double> elements(inputs.size());
  try { // a reference may throw where it is not defined
    y.space.forEach([&](Point p) {
      for (auto [element, input] : llvm::zip_equal(elements, inputs))
        element = input[p];
      to[p] = definition->reference(elements);
    });
  } catch (const std::exception &error) {
    return op.emitError("reference of '") << op.getDefinition() << "' failed: " << error.what()
                                          << "; its operands are " << llvm::interleaved(elements);
  }
  return success();
}

void attachCustom(MLIRContext *context) { attach<CustomOp>(context); }
} // namespace axloom::ir::reference
