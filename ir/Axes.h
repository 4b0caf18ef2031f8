//===- Axes.h - The algebra of axis sets, with errors for users -*- C++ -*-===//
//
// What type inference is made of: unions of axis sets, axes that must be there, sizes that must
// agree. Every message names the axis and both sizes. Test: tests/ir/InferenceTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Types.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace axloom::ir {
using MaybeLocation = std::optional<mlir::Location>;

/// The tensor type of a value that is known to be an axloom tensor.
inline NamedTensorType tensorType(mlir::Value value) {
  return llvm::cast<NamedTensorType>(value.getType());
}

/// Emits at `location`, if there is one, and fails. `message` goes on with `<<`.
mlir::InFlightDiagnostic fail(MaybeLocation location, const llvm::Twine &message);

/// The size that both are, with `?` giving way; fails naming axis, both sizes and their sides.
mlir::FailureOr<SizeAttr> unify(MaybeLocation location, llvm::StringRef axis, SizeAttr a,
                                llvm::StringRef aSide, SizeAttr b, llvm::StringRef bSide);

/// The axes of all operands together, where axes of one name must have one size.
/// `sides` names the operands in messages.
mlir::FailureOr<llvm::SmallVector<Axis>> unionOf(MaybeLocation location,
                                                 llvm::ArrayRef<NamedTensorType> operands,
                                                 llvm::ArrayRef<llvm::StringRef> sides);

/// The size of an axis which the operand must have.
mlir::FailureOr<SizeAttr> requireAxis(MaybeLocation location, llvm::StringRef axis,
                                      NamedTensorType type, llvm::StringRef side);

/// Fails if the operand has an axis which it must not have.
mlir::LogicalResult requireNoAxis(MaybeLocation location, llvm::StringRef axis,
                                  NamedTensorType type, llvm::StringRef side);

/// Fails unless each axis of `type` is in `space`, with one size.
mlir::LogicalResult requireWithin(MaybeLocation location, NamedTensorType type,
                                  llvm::StringRef side, NamedTensorType space,
                                  llvm::StringRef spaceSide);

/// Fails if an axis is ragged over one that is not among them.
mlir::LogicalResult requirePartners(MaybeLocation location, llvm::ArrayRef<Axis> axes);

/// The type without some axes; fails if one that stays is ragged over one that goes.
mlir::FailureOr<NamedTensorType> dropAxes(MaybeLocation location, NamedTensorType type,
                                          llvm::ArrayRef<mlir::StringAttr> names);

/// Whether the strings of an attribute of this name are words of the dialect; any other string of
/// an op names an axis.
bool holdsWords(llvm::StringRef attribute);

/// Whether the declared types say what was inferred; `?` in either is open.
bool compatible(mlir::TypeRange inferred, mlir::TypeRange declared);
} // namespace axloom::ir
