//===- KernelOps.h - What kernel forming asks of an op ----------*- C++ -*-===//
//
// Facts about single ops and their uses, from which ClusterRules.cpp makes its rules; and about
// the kernels around them, which later passes ask for. Test: tests/passes/form-kernels.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::passes {
/// The most tensors that passes let a kernel read and write. Tables of the runtime have room for a
/// few more, which prepared operands and the offsets of ragged batches need.
inline constexpr unsigned mostTensors = 56;

/// Whether each kernel computes the op anew instead of reading it from memory: names, indices,
/// masks, random numbers and what comes of these alone; and what only feeds sums over columns.
/// Names alone are not where what reads them is ragged and would need other entries of the batch.
bool isRecomputed(mlir::Operation *op);

/// Whether computing an element takes as long as reading one: elementary functions.
bool isExpensive(mlir::Operation *op);

/// The axes that a row op walks along; empty for other ops.
llvm::SmallVector<mlir::StringAttr> reducedAxes(mlir::Operation *op);

/// Whether the reduced axes are one row of known length. Only then can a kernel finish row by row;
/// sums over columns are complete at the very end.
bool isRow(ir::NamedTensorType space, llvm::ArrayRef<mlir::StringAttr> reduced);

/// The anchor of a kernel that starts with this op: what later passes know it by, and its name.
llvm::StringRef anchorOf(mlir::Operation *op);

/// Whether a kernel of this anchor computes its results element by element, from inputs and from
/// what it has scattered before.
bool isElementwise(llvm::StringRef anchor);

/// Whether an op scatters each row to a place of the row's own, and not all to a table by their
/// indices, as the gradient of a lookup does. A block of a table has the rows that fall into it;
/// places along rows are no such blocks.
bool scattersAlongRows(mlir::Operation *op);

/// The axes that an op's loops run over.
ir::NamedTensorType spaceOf(mlir::Operation *op);

/// Whether an op adds up along the axis that it, or what is computed anew for it, is ragged over. A
/// kernel may go through the entries of a ragged batch one by one, so that the sum is complete at
/// its end only.
bool sumsEntries(mlir::Operation *op);

/// Whether a kernel of these ops, with what it computes anew for them, could go through the entries
/// of a ragged batch one by one; true if nothing in it is ragged.
bool canGoByEntry(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Operation *> others);

/// Whether an op copies the old value of a variable, which may then be overwritten.
bool copiesVariable(mlir::Operation *op);

/// Whether all that comes of a value comes together in one value again, by pointwise arithmetic
/// over its axes: the two factors of a GELU.
bool joinsAgain(mlir::Value value);
} // namespace axloom::passes
