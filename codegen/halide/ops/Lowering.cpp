#include "codegen/halide/ops/Lowering.h"

using namespace mlir;
using namespace axloom;

LogicalResult codegen::lowerOp(Operation *op, LoweredRegion &region) {
  for (auto lower : {lowerPointwise, lowerStructure, lowerIndexing, lowerReduction, lowerComposite,
                     lowerAttentionBlocks, lowerAttention})
    if (lower(op, region))
      return success();
  return op->emitError("the Halide backend has no lowering for this op; codegen/halide/README.md "
                       "says how to add one");
}
