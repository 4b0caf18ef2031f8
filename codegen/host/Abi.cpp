#include "codegen/host/Abi.h"

#include "runtime/abi/axloom.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace axloom::codegen;

Abi::Abi(ModuleOp module) : module(module) {
  MLIRContext *context = module.getContext();
  pointer = LLVM::LLVMPointerType::get(context);
  i32 = IntegerType::get(context, 32);
  i64 = IntegerType::get(context, 64);
  Type perAxis = LLVM::LLVMArrayType::get(i64, AXL_MAX_RANK);
  tensor = LLVM::LLVMStructType::getLiteral(context, {pointer, i64, i32, i32, perAxis, perAxis});
}

Value Abi::call(ImplicitLocOpBuilder &builder, StringRef name, Type result, ValueRange operands) {
  LLVM::LLVMFuncOp &callee = functions[name];
  if (!callee) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto type =
        LLVM::LLVMFunctionType::get(result, llvm::to_vector(ValueRange(operands).getTypes()));
    callee = LLVM::LLVMFuncOp::create(atStart, module.getLoc(), name, type);
  }
  return LLVM::CallOp::create(builder, callee, operands).getResult();
}

Value Abi::number(ImplicitLocOpBuilder &builder, Type type, int64_t value) {
  mlir::Block *entry = &builder.getInsertionBlock()->getParent()->front();
  Value &known = numbers[{entry, type.getIntOrFloatBitWidth(), value}];
  if (!known) {
    OpBuilder atStart = OpBuilder::atBlockBegin(entry);
    known = LLVM::ConstantOp::create(atStart, module.getLoc(), type,
                                     builder.getIntegerAttr(type, value));
  }
  return known;
}

Value Abi::number32(ImplicitLocOpBuilder &builder, int32_t value) {
  return number(builder, i32, value);
}

Value Abi::number64(ImplicitLocOpBuilder &builder, int64_t value) {
  return number(builder, i64, value);
}

Value Abi::product(ImplicitLocOpBuilder &builder, Value a, Value b) {
  llvm::APInt left, right;
  if (matchPattern(a, m_ConstantInt(&left)) && matchPattern(b, m_ConstantInt(&right)))
    return number64(builder, (left * right).getSExtValue());
  return LLVM::MulOp::create(builder, a, b);
}

Value Abi::size(ImplicitLocOpBuilder &builder, Value context, int32_t symbol) {
  return call(builder, "axl_size", i64, {context, number32(builder, symbol)});
}

Value Abi::arena(ImplicitLocOpBuilder &builder, Value context, Value bytes) {
  return call(builder, "axl_arena", pointer, {context, bytes});
}

Value Abi::variable(ImplicitLocOpBuilder &builder, Value context, int32_t index) {
  return call(builder, "axl_variable", pointer, {context, number32(builder, index)});
}

Value Abi::offsets(ImplicitLocOpBuilder &builder, Value context, int32_t symbol) {
  return call(builder, "axl_offsets", pointer, {context, number32(builder, symbol)});
}

Value Abi::prepared(ImplicitLocOpBuilder &builder, Value context, int32_t index, Value tensor) {
  return call(builder, "axl_prepared", i32, {context, number32(builder, index), tensor});
}

Value Abi::launch(ImplicitLocOpBuilder &builder, Value context, int32_t kernel, Value tensors,
                  int32_t count, Value scalars, int32_t scalarCount) {
  return call(builder, "axl_launch", i32,
              {context, number32(builder, kernel), tensors, number32(builder, count), scalars,
               number32(builder, scalarCount)});
}

Value Abi::defer(ImplicitLocOpBuilder &builder, Value context, int32_t kernel, Value tensors,
                 int32_t count, Value scalars, int32_t scalarCount) {
  return call(builder, "axl_defer", i32,
              {context, number32(builder, kernel), tensors, number32(builder, count), scalars,
               number32(builder, scalarCount)});
}

Value Abi::copy(ImplicitLocOpBuilder &builder, Value context, Value destination, Value source) {
  return call(builder, "axl_copy", i32, {context, destination, source});
}
