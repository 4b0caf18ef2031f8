#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

#include "ir/Dialect.cpp.inc"

void AxloomDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "ir/Ops.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "ir/Ops.cpp.inc"
