//===- Abi.h - runtime/abi/axloom.h as MLIR types and calls -----*- C++ -*-===//
//
// What generated host code calls: the struct axl_tensor, and the functions of section 1 of that
// header. Host code is made in the LLVM dialect right away, since a model launches kernels by the
// hundred and every lowering walks all that is there.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace axloom::codegen {
/// The fields of axl_tensor, in order.
enum TensorField { tensorMemory, tensorOffset, tensorType, tensorRank, tensorExtent, tensorStride };

/// Types of the interface, and calls; all calls go to functions that it declares in the module on
/// first use.
class Abi {
public:
  explicit Abi(mlir::ModuleOp module);

  mlir::Type pointer, i32, i64, tensor;

  mlir::Value size(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, int32_t symbol);
  mlir::Value arena(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, mlir::Value bytes);
  mlir::Value variable(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, int32_t index);
  mlir::Value offsets(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, int32_t symbol);
  mlir::Value prepared(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, int32_t index,
                       mlir::Value tensor);
  mlir::Value launch(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, int32_t kernel,
                     mlir::Value tensors, int32_t count, mlir::Value scalars, int32_t scalarCount);
  mlir::Value defer(mlir::ImplicitLocOpBuilder &builder, mlir::Value context, int32_t kernel,
                    mlir::Value tensors, int32_t count, mlir::Value scalars, int32_t scalarCount);
  mlir::Value copy(mlir::ImplicitLocOpBuilder &builder, mlir::Value context,
                   mlir::Value destination, mlir::Value source);

  /// Constants of the types that the interface uses, once in each function.
  mlir::Value number32(mlir::ImplicitLocOpBuilder &builder, int32_t value);
  mlir::Value number64(mlir::ImplicitLocOpBuilder &builder, int64_t value);

  /// Of 64-bit numbers; constants are multiplied here and now.
  mlir::Value product(mlir::ImplicitLocOpBuilder &builder, mlir::Value a, mlir::Value b);

private:
  mlir::Value number(mlir::ImplicitLocOpBuilder &builder, mlir::Type type, int64_t value);
  mlir::Value call(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange operands);

  mlir::ModuleOp module;
  /// By the function's entry block, where they stand, bits and value.
  llvm::DenseMap<std::tuple<mlir::Block *, unsigned, int64_t>, mlir::Value> numbers;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> functions;
};
} // namespace axloom::codegen
