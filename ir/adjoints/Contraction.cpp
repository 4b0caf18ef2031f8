// Adjoints of contract and reduce.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

/// The axes of `a` that `b` lacks.
static SmallVector<StringAttr> axesOnlyIn(NamedTensorType a, NamedTensorType b) {
  SmallVector<StringAttr> only;
  for (const Axis &axis : a.getAxes())
    if (!b.has(axis.name.getValue()))
      only.push_back(axis.name);
  return only;
}

// y = sum over K of a * b. The axes that b alone brought into y vanish from a's adjoint.
LogicalResult ContractOp::buildAdjoints(Adjoints &adjoints) {
  Term g = adjoints.term(adjoints.of(getY())), a = adjoints.term(getA()), b = adjoints.term(getB());
  if (adjoints.needs(a))
    adjoints.add(a, contract(g, b, axesOnlyIn(b.type(), a.type())));
  if (adjoints.needs(b))
    adjoints.add(b, contract(g, a, axesOnlyIn(a.type(), b.type())));
  return success();
}

// Each of several equal largest (smallest) elements gets an equal share.
LogicalResult ReduceOp::buildAdjoints(Adjoints &adjoints) {
  Term g = adjoints.term(adjoints.of(getY())), x = adjoints.term(getX()), y = adjoints.term(getY());
  if (getKind() == "sum") {
    adjoints.add(x, g);
    return success();
  }
  Term chosen = compare("eq", x, y);
  Term count = sum(select(chosen, x.number(1), x.number(0)), axesOnlyIn(x.type(), y.type()));
  adjoints.add(x, select(chosen, g / count, x.number(0)));
  return success();
}
