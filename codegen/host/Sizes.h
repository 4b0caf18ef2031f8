//===- Sizes.h - Computes sizes in host code --------------------*- C++ -*-===//

#pragma once

#include "codegen/host/Abi.h"
#include "codegen/host/Description.h"

namespace axloom::codegen {
/// Emits the values of sizes, each once. Host code is a chain of blocks without joins, so that
/// whatever was computed earlier can be used later.
class Sizes {
public:
  Sizes(Abi &abi, const Description &model, mlir::Value context)
      : abi(abi), model(model), context(context) {}

  mlir::Value of(mlir::ImplicitLocOpBuilder &builder, ir::SizeAttr size);
  mlir::Value of(mlir::ImplicitLocOpBuilder &builder, const Dimension &dimension);
  mlir::Value of(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef symbol);

  /// Bytes rounded up to AXL_ALIGNMENT.
  mlir::Value aligned(mlir::ImplicitLocOpBuilder &builder, mlir::Value bytes);

private:
  Abi &abi;
  const Description &model;
  mlir::Value context;
  llvm::StringMap<mlir::Value> symbols;
  llvm::DenseMap<mlir::Attribute, mlir::Value> products;
};
} // namespace axloom::codegen
