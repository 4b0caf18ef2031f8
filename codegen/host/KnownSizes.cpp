// 1. Collect the extents of a function's arguments and results. A ragged extent tells the length of
//    each entry and not the size that its symbol has elsewhere; symbols of session variables come
//    with the session.
// 2. An extent with a single unknown symbol gives it; again, until none does.
// 3. All other values have to do with those. Lengths are always an argument.

#include "codegen/host/KnownSizes.h"

#include "codegen/host/RaggedSizes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
class KnownSizes {
public:
  explicit KnownSizes(func::FuncOp function) : function(function) {}
  LogicalResult check();

private:
  void collect(Type type);
  void collectSession(Type type);
  bool learn();
  LogicalResult check(ir::SizeAttr size, const Twine &what, Operation *op);

  func::FuncOp function;
  SmallVector<ir::SizeAttr> extents; // of arguments and results
  llvm::DenseSet<StringAttr> known;
};
} // namespace

static ArrayRef<ir::Axis> axesOf(Type type) {
  auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type);
  return tensor ? tensor.getAxes() : ArrayRef<ir::Axis>();
}

void KnownSizes::collect(Type type) {
  for (const ir::Axis &axis : axesOf(type))
    if (!axis.size().isRagged())
      extents.push_back(axis.size());
}

void KnownSizes::collectSession(Type type) {
  for (const ir::Axis &axis : axesOf(type))
    known.insert_range(axis.size().getSymbols());
}

bool KnownSizes::learn() {
  size_t before = known.size();
  for (ir::SizeAttr extent : extents) {
    SmallVector<StringAttr> unknown(llvm::make_filter_range(
        extent.getSymbols(), [&](StringAttr symbol) { return !known.contains(symbol); }));
    if (unknown.size() == 1)
      known.insert(unknown.front());
  }
  return known.size() > before;
}

LogicalResult KnownSizes::check(ir::SizeAttr size, const Twine &what, Operation *op) {
  for (StringAttr symbol : size.getSymbols())
    if (!size.isRagged() && !known.contains(symbol))
      return op->emitError("size '")
             << symbol.getValue() << "'" << what << " cannot be told by a call of function '"
             << function.getSymName()
             << "'; expected an argument, a result or a session variable with an axis of size "
             << symbol.getValue();
  return success();
}

LogicalResult KnownSizes::check() {
  for (Type type : function.getArgumentTypes())
    collect(type);
  for (Type type : function.getResultTypes())
    collect(type);
  function.walk([&](ir::ReadOp read) { collectSession(read.getType()); });
  function.walk([&](ir::WriteOp write) { collectSession(write.getValue().getType()); });
  while (learn()) {
  }
  LogicalResult checked = success();
  forEachTensor(function, [&](ir::NamedTensorType type, Operation *op) {
    for (const ir::Axis &axis : type.getAxes())
      if (succeeded(checked))
        checked = check(axis.size(), " of axis '" + axis.name.getValue() + "'", op);
  });
  function.walk([&](Operation *op) { // sizes as numbers, which no tensor tells
    for (NamedAttribute attribute : op->getAttrs())
      if (auto size = llvm::dyn_cast<ir::SizeAttr>(attribute.getValue());
          size && succeeded(checked))
        checked = check(size, "", op);
  });
  return checked;
}

LogicalResult codegen::checkSizesAreKnown(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(KnownSizes(function).check()))
      return failure();
  return success();
}
