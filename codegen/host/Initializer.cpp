#include "codegen/host/Initializer.h"

#include "codegen/host/Description.h"
#include "runtime/abi/axloom.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// A number of an initializer.
static double number(DictionaryAttr init, StringRef key) {
  Attribute value = init.get(key);
  if (auto real = llvm::dyn_cast_or_null<FloatAttr>(value))
    return real.getValueAsDouble();
  if (auto integer = llvm::dyn_cast_or_null<IntegerAttr>(value))
    return double(integer.getInt());
  return 0;
}

LogicalResult codegen::setInitializer(ir::VariableOp op, VariableInfo &info) {
  auto kind = op.getInit().getAs<StringAttr>("kind");
  StringRef name = kind ? kind.getValue() : "zeros";
  auto set = [&](int32_t initializer, StringRef first = "", StringRef second = "") {
    info.initializer = initializer;
    info.numbers[0] = first.empty() ? 0 : number(op.getInit(), first);
    info.numbers[1] = second.empty() ? 0 : number(op.getInit(), second);
    return success();
  };
  if (name == "zeros")
    return set(AXL_INIT_ZEROS);
  if (name == "ones")
    return set(AXL_INIT_ONES);
  if (name == "constant")
    return set(AXL_INIT_CONSTANT, "value");
  if (name == "uniform")
    return set(AXL_INIT_UNIFORM, "low", "high");
  if (name == "normal")
    return set(AXL_INIT_NORMAL, "mean", "stddev");
  return op.emitError("initializer is '")
         << name << "', expected zeros, ones, constant, uniform or normal";
}
