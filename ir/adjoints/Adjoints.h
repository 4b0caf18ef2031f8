//===- Adjoints.h - The adjoints found so far, for one gradient -*- C++ -*-===//
//
// What the pass `differentiate` hands to an op's rule (DifferentiableOpInterface): the rule reads
// the adjoints of the op's results and adds those of its operands. An adjoint always has the type
// of its value: `add` sums over the axes that the value lacks (it was broadcast) and repeats along
// those that the adjoint lacks (it was reduced), once for all rules. Test:
// tests/passes/differentiate.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/adjoints/Term.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace axloom::ir {
class Adjoints {
public:
  /// `active` are the values that need an adjoint; new ops go where `builder` stands.
  Adjoints(mlir::OpBuilder &builder, const llvm::DenseSet<mlir::Value> &active)
      : builder(builder), location(builder.getUnknownLoc()), active(active) {}

  mlir::OpBuilder &builder;
  /// The forward op's location, which its adjoint ops carry.
  mlir::Location location;

  /// The adjoint of a value, or null if nothing has been added to it.
  mlir::Value of(mlir::Value value) const { return found.lookup(value); }
  bool needs(mlir::Value value) const { return value && active.contains(value); }
  /// Adds to the adjoint of `value`; does nothing if it needs none.
  void add(mlir::Value value, mlir::Value adjoint);
  /// Adds one of wider elements, which are summed before they are rounded.
  void addRounded(mlir::Value value, mlir::Value adjoint);

  Term term(mlir::Value value) { return Term(builder, location, value); }

private:
  const llvm::DenseSet<mlir::Value> &active;
  llvm::DenseMap<mlir::Value, mlir::Value> found;
};

/// `value` summed over the axes that `type` lacks and repeated along those that it lacks itself.
mlir::Value fitTo(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value,
                  NamedTensorType type);
/// A tensor filled with one number.
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location location, NamedTensorType type,
                   double number);
} // namespace axloom::ir
