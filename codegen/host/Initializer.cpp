#include "codegen/host/Initializer.h"

#include "codegen/host/Description.h"
#include "runtime/abi/axloom.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

void codegen::setInitializer(ir::VariableOp op, VariableInfo &info) {
  StringRef name = op.getInit().getAs<StringAttr>("kind").getValue();
  auto number = [&](StringRef key) {
    return op.getInit().getAs<FloatAttr>(key).getValueAsDouble();
  };
  auto set = [&](int32_t initializer, StringRef first = "", StringRef second = "") {
    info.initializer = initializer;
    info.numbers[0] = first.empty() ? 0 : number(first);
    info.numbers[1] = second.empty() ? 0 : number(second);
  };
  if (name == "zeros")
    return set(AXL_INIT_ZEROS);
  if (name == "ones")
    return set(AXL_INIT_ONES);
  if (name == "constant")
    return set(AXL_INIT_CONSTANT, "value");
  if (name == "uniform")
    return set(AXL_INIT_UNIFORM, "low", "high");
  assert(name == "normal" && "a verified variable has one of the initializers");
  set(AXL_INIT_NORMAL, "mean", "stddev");
}
