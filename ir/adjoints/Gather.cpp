// Adjoints of the ops that look up or replace slices at an index.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

LogicalResult GatherOp::buildAdjoints(Adjoints &adjoints) {
  adjoints.add(getTable(),
               ScatterAddOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                    getIndices(), getAxis(), getTable().getType()));
  return success();
}

LogicalResult ScatterAddOp::buildAdjoints(Adjoints &adjoints) {
  adjoints.add(getX(), GatherOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                        getIndices(), getAxis()));
  return success();
}

// The replaced slice of x has no say in the result; the new value has all of it.
LogicalResult UpdateOp::buildAdjoints(Adjoints &adjoints) {
  OpBuilder &builder = adjoints.builder;
  Value g = adjoints.of(getY());
  if (adjoints.needs(getX())) {
    Value zeros = filled(builder, adjoints.location, tensorType(getValue()), 0);
    adjoints.add(getX(),
                 UpdateOp::create(builder, adjoints.location, g, getIndex(), zeros, getAxis()));
  }
  if (adjoints.needs(getValue()))
    adjoints.add(getValue(),
                 GatherOp::create(builder, adjoints.location, g, getIndex(), getAxis()));
  return success();
}
