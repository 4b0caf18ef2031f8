//===- Term.h - Graph code that reads like algebra --------------*- C++ -*-===//
//
// `g * (1.0 - y * y)` builds a sub and two muls: the derivatives in ir/ops/Pointwise.td and the
// rules in ir/adjoints/ are written in Terms. A number takes the element type of the term it meets;
// operands are broadcast by name. Test: tests/passes/differentiate.mlir.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Axes.h"

#include "mlir/IR/Builders.h"

namespace axloom::ir {
/// A value together with the place where ops that use it are built.
class Term {
public:
  Term(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value)
      : builder(&builder), location(location), value(value) {}
  operator mlir::Value() const { return value; }
  NamedTensorType type() const { return tensorType(value); }

  /// A scalar of this term's element type.
  Term number(double number) const;
  /// Another value at this term's place.
  Term at(mlir::Value other) const { return {*builder, location, other}; }

  mlir::OpBuilder *builder;
  mlir::Location location;
  mlir::Value value;
};

Term operator-(Term x);
Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
inline Term operator+(Term a, double b) { return a + a.number(b); }
inline Term operator-(Term a, double b) { return a - a.number(b); }
inline Term operator-(double a, Term b) { return b.number(a) - b; }
inline Term operator*(Term a, double b) { return a * a.number(b); }
inline Term operator*(double a, Term b) { return b.number(a) * b; }
inline Term operator/(Term a, double b) { return a / a.number(b); }

Term exp(Term x);
Term log(Term x);
Term pow(Term a, Term b);
Term sin(Term x);
Term cos(Term x);
Term floor(Term x);
/// -1, 0 or 1.
Term sign(Term x);
/// 1 where a > b, 0 where a < b, and 1/2 where both are equal.
Term half(Term a, Term b);
/// The share of the adjoint that `a` gets in y = maximum(a, b): half(a, b). Against a constant it
/// is told from y alone, with 0 at a tie, so that nothing but y need be kept for ReLU.
Term shareOfMaximum(Term a, Term b, Term y);
/// The same in y = minimum(a, b).
Term shareOfMinimum(Term a, Term b, Term y);

/// x with elements of another type.
Term converted(Term x, mlir::Type element);
Term compare(llvm::StringRef predicate, Term a, Term b);
Term select(Term mask, Term a, Term b);
/// The sum over the named axes; `x` itself if there are none.
Term sum(Term x, llvm::ArrayRef<mlir::StringAttr> over);
/// The sum over the named axes of a * b, where both have them.
Term contract(Term a, Term b, llvm::ArrayRef<mlir::StringAttr> over);
/// The axis' extent as a scalar of the term's element type.
Term extent(Term x, llvm::StringRef axis);
} // namespace axloom::ir
