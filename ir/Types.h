//===- Types.h - Tensors over named axes ------------------------*- C++ -*-===//
//
// `!axloom.tensor<batch: B, model: 512, f32>`: a set of named axes with their sizes, and an element
// type. Tests: tests/ir/TypesTest.cpp, tests/ir/types.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/CustomOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"

#include <string>

namespace axloom::ir {
class SizeAttr;

/// A named axis of a tensor with its size.
struct Axis {
  mlir::StringAttr name;
  mlir::Attribute sizeAttr; // a SizeAttr; held untyped because that class is generated below

  Axis(mlir::StringAttr name, SizeAttr size);
  SizeAttr size() const;
  bool operator==(const Axis &other) const = default;
};

/// How many bytes an element takes in memory.
inline int64_t elementBytes(mlir::Type element) {
  return element.isInteger(1) ? 1 : int64_t(element.getIntOrFloatBitWidth()) / 8;
}

/// Where a kernel's result lies: see PlacementAttr.
enum class PlacementKind { slot, variable, result };

inline llvm::hash_code hash_value(const Axis &axis) {
  return llvm::hash_combine(axis.name, axis.sizeAttr);
}
} // namespace axloom::ir

#include "ir/Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/Attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/Types.h.inc"
