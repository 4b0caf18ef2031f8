#include "codegen/host/Sizes.h"

#include "runtime/abi/axloom.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

Value Sizes::of(ImplicitLocOpBuilder &builder, StringRef symbol) {
  Value &value = symbols[symbol];
  if (!value)
    value = abi.size(builder, context, model.symbolIndex.lookup(symbol));
  return value;
}

Value Sizes::of(ImplicitLocOpBuilder &builder, ir::SizeAttr size) {
  Value &value = products[size];
  if (value)
    return value;
  if (size.isFixed() || size.getFactor() != 1)
    value = abi.number64(builder, size.getFactor());
  for (StringAttr symbol : size.getSymbols()) {
    Value factor = of(builder, symbol.getValue());
    value = value ? abi.product(builder, value, factor) : factor;
  }
  return value;
}

Value Sizes::of(ImplicitLocOpBuilder &builder, const Dimension &dimension) {
  Value size = of(builder, dimension.size);
  if (dimension.divisor == 1)
    return size;
  Value up = LLVM::AddOp::create(builder, size, abi.number64(builder, dimension.divisor - 1));
  return LLVM::UDivOp::create(builder, up, abi.number64(builder, dimension.divisor));
}

Value Sizes::aligned(ImplicitLocOpBuilder &builder, Value bytes) {
  Value up = LLVM::AddOp::create(builder, bytes, abi.number64(builder, AXL_ALIGNMENT - 1));
  return LLVM::AndOp::create(builder, up, abi.number64(builder, -int64_t(AXL_ALIGNMENT)));
}
