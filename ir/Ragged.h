//===- Ragged.h - How ragged tensors lie in memory --------------*- C++ -*-===//
//
// A ragged tensor holds entry after entry of the axis that it is ragged over (sentence after
// sentence of a batch), without padding. The partner and all ragged axes are one dimension in
// memory, the outermost: for [batch: B, position: S[batch], model: 512] that is [total.S, 512],
// where `total.S` is the sum of the lengths S. With two ragged axes the dimension has `total.S.T`
// elements, the sum of the products of their lengths. `longest.S` is what a length of one entry is
// at most in a call. Test: tests/ir/RaggedTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Types.h"

#include <optional>
#include <string>

namespace axloom::ir {
/// The axes that are one dimension in memory.
struct RaggedPart {
  mlir::StringAttr partner;
  llvm::SmallVector<Axis> axes;

  bool has(mlir::StringAttr axis) const;
  /// The size of the dimension: the symbol `total.S.T`.
  SizeAttr total() const;
};

/// Nothing for a tensor that is not ragged.
std::optional<RaggedPart> raggedPart(NamedTensorType type);

/// The symbols of a total, as in {"S", "T"} for `total.S.T`; empty for any other symbol.
llvm::SmallVector<llvm::StringRef> factorsOfTotal(llvm::StringRef symbol);
std::string totalSymbol(llvm::ArrayRef<std::string> factors);

/// `longest.S`, and the S of it, empty for any other symbol.
std::string longestSymbol(llvm::StringRef symbol);
llvm::StringRef ofLongest(llvm::StringRef symbol);

/// The axes in an order that memory can have: partner and ragged axes first.
llvm::SmallVector<mlir::StringAttr> raggedFirst(llvm::ArrayRef<mlir::StringAttr> order,
                                                NamedTensorType type);

/// The sizes of the dimensions of a tensor with its axes in this order, outermost first.
llvm::SmallVector<SizeAttr> memorySizes(NamedTensorType type,
                                        llvm::ArrayRef<mlir::StringAttr> order);

/// The number of elements that a tensor holds.
SizeAttr elementCount(NamedTensorType type);
} // namespace axloom::ir
