// Adjoints of the pointwise ops that are more than a formula: select and cast.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

LogicalResult SelectOp::buildAdjoints(Adjoints &adjoints) {
  Term g = adjoints.term(adjoints.of(getY())), mask = adjoints.term(getMask());
  if (adjoints.needs(getA()))
    adjoints.add(getA(), select(mask, g, g.number(0)));
  if (adjoints.needs(getB()))
    adjoints.add(getB(), select(mask, g.number(0), g));
  return success();
}

// Between floating-point types: only such operands need an adjoint.
LogicalResult CastOp::buildAdjoints(Adjoints &adjoints) {
  Type element = tensorType(getX()).getElementType();
  adjoints.add(getX(),
               CastOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()), element));
  return success();
}
