// Adjoints of the ops that give axes another name, structure or extent: the inverse op, applied to
// the adjoint.

#include "ir/Dialect.h"

using namespace mlir;
using namespace axloom::ir;

LogicalResult RenameOp::buildAdjoints(Adjoints &adjoints) {
  Value g = adjoints.of(getY());
  adjoints.add(getX(),
               RenameOp::create(adjoints.builder, adjoints.location, g, getTo(), getFrom()));
  return success();
}

LogicalResult SplitOp::buildAdjoints(Adjoints &adjoints) {
  Value g = adjoints.of(getY());
  adjoints.add(getX(),
               MergeOp::create(adjoints.builder, adjoints.location, g, getInto(), getAxis()));
  return success();
}

LogicalResult MergeOp::buildAdjoints(Adjoints &adjoints) {
  auto inner = llvm::cast<StringAttr>(getAxes()[1]);
  SizeAttr innerSize = tensorType(getX()).sizeOf(inner.getValue());
  adjoints.add(getX(), SplitOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                       getInto(), getAxes(), innerSize));
  return success();
}

LogicalResult SliceOp::buildAdjoints(Adjoints &adjoints) {
  int64_t extent = tensorType(getX()).sizeOf(getAxis()).getFactor();
  int64_t low = getStart(), high = extent - low - getSize();
  adjoints.add(getX(), PadOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                     getAxis(), low, high, llvm::APFloat(0.0)));
  return success();
}

LogicalResult PadOp::buildAdjoints(Adjoints &adjoints) {
  int64_t extent = tensorType(getX()).sizeOf(getAxis()).getFactor();
  adjoints.add(getX(), SliceOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                       getAxis(), getLow(), extent));
  return success();
}

LogicalResult ConcatOp::buildAdjoints(Adjoints &adjoints) {
  int64_t start = 0;
  for (Value x : getXs()) {
    int64_t size = tensorType(x).sizeOf(getAxis()).getFactor();
    if (adjoints.needs(x))
      adjoints.add(x, SliceOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                      getAxis(), start, size));
    start += size;
  }
  return success();
}

LogicalResult ShiftOp::buildAdjoints(Adjoints &adjoints) {
  adjoints.add(getX(), ShiftOp::create(adjoints.builder, adjoints.location, adjoints.of(getY()),
                                       getAxis(), -int64_t(getBy()), llvm::APFloat(0.0)));
  return success();
}

// Adjoints::add sums over the axes that the operand lacks.
LogicalResult BroadcastOp::buildAdjoints(Adjoints &adjoints) {
  adjoints.add(getX(), adjoints.of(getY()));
  return success();
}
