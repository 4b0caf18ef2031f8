#include "ir/adjoints/Adjoints.h"

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

Value axloom::ir::fitTo(OpBuilder &builder, Location location, Value value, NamedTensorType type) {
  SmallVector<StringRef> extra;
  for (const Axis &axis : tensorType(value).getAxes())
    if (!type.has(axis.name.getValue()))
      extra.push_back(axis.name.getValue());
  if (!extra.empty())
    value = ReduceOp::create(builder, location, "sum", value, builder.getStrArrayAttr(extra));
  if (tensorType(value).rank() != type.rank())
    value = BroadcastOp::create(builder, location, value, type);
  return value;
}

Value axloom::ir::filled(OpBuilder &builder, Location location, NamedTensorType type,
                         double number) {
  Value scalar =
      ConstantOp::create(builder, location, builder.getFloatAttr(type.getElementType(), number));
  return fitTo(builder, location, scalar, type);
}

void Adjoints::add(Value value, Value adjoint) {
  if (!needs(value))
    return;
  adjoint = fitTo(builder, location, adjoint, tensorType(value));
  Value &sum = found[value];
  sum = sum ? AddOp::create(builder, location, sum, adjoint) : adjoint;
}

void Adjoints::addRounded(Value value, Value adjoint) {
  if (!needs(value))
    return;
  NamedTensorType type = tensorType(value);
  Term fitted = term(fitTo(builder, location, adjoint, type));
  add(value, converted(fitted, type.getElementType()));
}
