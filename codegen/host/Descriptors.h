//===- Descriptors.h - axl_tensor on the stack of an entry ------*- C++ -*-===//

#pragma once

#include "codegen/host/Abi.h"

namespace axloom::codegen {
/// Memory as host code knows it: a handle and a byte offset into it.
struct Place {
  mlir::Value memory;
  mlir::Value offset;
};

/// An array of axl_tensor and one of scalars, made once in an entry and filled again for each
/// launch.
class Descriptors {
public:
  Descriptors(Abi &abi, mlir::ImplicitLocOpBuilder &builder, int32_t tensorCount,
              int32_t scalarCount);

  /// Fills tensor `index`; strides are in elements, outermost first.
  void setTensor(mlir::ImplicitLocOpBuilder &builder, int32_t index, const Place &place,
                 int32_t type, mlir::ValueRange extents, mlir::ValueRange strides);
  void setScalar(mlir::ImplicitLocOpBuilder &builder, int32_t index, mlir::Value value);

  /// The address of tensor `index`.
  mlir::Value tensor(mlir::ImplicitLocOpBuilder &builder, int32_t index);

  mlir::Value tensors() const { return tensorArray; }
  mlir::Value scalars() const { return scalarArray; }

private:
  Abi &abi;
  mlir::Value tensorArray;
  mlir::Value scalarArray;
};

/// Memory and offset of a tensor that the runtime handed over.
Place placeOf(Abi &abi, mlir::ImplicitLocOpBuilder &builder, mlir::Value tensor);

/// Strides of a dense tensor.
llvm::SmallVector<mlir::Value> denseStrides(Abi &abi, mlir::ImplicitLocOpBuilder &builder,
                                            mlir::ValueRange extents);
} // namespace axloom::codegen
