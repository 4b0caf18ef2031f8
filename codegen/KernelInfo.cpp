#include "codegen/KernelInfo.h"

#include "ir/Ragged.h"

#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static ir::LayoutAttr layoutAt(std::optional<ArrayAttr> layouts, unsigned index, Value value) {
  if (layouts)
    return llvm::cast<ir::LayoutAttr>((*layouts)[index]);
  SmallVector<StringAttr> order;
  for (const ir::Axis &axis : ir::tensorType(value).getAxes())
    order.push_back(axis.name);
  return ir::LayoutAttr::get(value.getContext(), order);
}

ir::LayoutAttr codegen::inputLayout(ir::KernelOp kernel, unsigned index) {
  return layoutAt(kernel.getInputLayouts(), index, kernel.getInputs()[index]);
}

ir::LayoutAttr codegen::resultLayout(ir::KernelOp kernel, unsigned index) {
  return layoutAt(kernel.getResultLayouts(), index, kernel.getOutputs()[index]);
}

bool codegen::isPassedByValue(ir::KernelOp kernel, unsigned input) {
  return llvm::is_contained(kernel.getByValue().value_or(ArrayRef<int64_t>()), int64_t(input));
}

ir::PlacementAttr codegen::placementOf(Value value) {
  if (auto read = value.getDefiningOp<ir::ReadOp>())
    return ir::PlacementAttr::inVariable(read.getContext(), read.getVariable());
  if (auto producer = value.getDefiningOp<ir::KernelOp>())
    if (auto placements = producer.getPlacements())
      return llvm::cast<ir::PlacementAttr>(
          (*placements)[llvm::cast<OpResult>(value).getResultNumber()]);
  return nullptr;
}

std::vector<int64_t> codegen::overwrittenInputs(ir::KernelOp kernel) {
  if (auto stated = kernel->getAttrOfType<DenseI64ArrayAttr>("overwrites"))
    return stated.asArrayRef().vec();
  std::vector<int64_t> overwritten(kernel.getOutputs().size(), -1);
  if (auto inPlace = kernel.getInPlace())
    overwritten = inPlace->vec();
  if (auto placements = kernel.getPlacements())
    for (auto [result, placement] : llvm::enumerate(*placements))
      for (auto [index, input] : llvm::enumerate(kernel.getInputs()))
        if (!isPassedByValue(kernel, index) && placementOf(input) == placement)
          overwritten[result] = index;
  return overwritten;
}

ir::UpdateOp codegen::rowUpdate(ir::KernelOp kernel, unsigned result) {
  Value yielded = kernel.getBody().front().getTerminator()->getOperand(result);
  auto update = yielded.getDefiningOp<ir::UpdateOp>();
  auto changed = update ? llvm::dyn_cast<BlockArgument>(update.getX()) : BlockArgument();
  if (!changed || !changed.hasOneUse() || !update->hasOneUse() ||
      overwrittenInputs(kernel)[result] != int64_t(changed.getArgNumber()))
    return nullptr;
  ir::LayoutAttr layout = resultLayout(kernel, result);
  auto along = llvm::find_if(llvm::reverse(layout.getOrder()),
                             [&](StringAttr axis) { return axis != update.getAxisAttr(); });
  bool isRow = along == llvm::reverse(layout.getOrder()).end() || // a number
               !ir::tensorType(update.getIndex()).has(along->getValue());
  bool liesAlike = layout == inputLayout(kernel, changed.getArgNumber());
  return isRow && liesAlike ? update : nullptr;
}

std::vector<std::string> codegen::sizeSymbols(ir::KernelOp kernel) {
  std::set<std::string> names;
  auto addSize = [&](ir::SizeAttr size) {
    for (StringAttr symbol : size.getSymbols())
      names.insert(size.isRagged() ? ir::longestSymbol(symbol) : symbol.str());
  };
  auto addType = [&](Type type) {
    if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
      for (const ir::Axis &axis : tensor.getAxes())
        addSize(axis.size());
  };
  llvm::for_each(kernel.getInputs().getTypes(), addType);
  kernel.getBody().walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), addType);
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (auto size = llvm::dyn_cast<ir::SizeAttr>(attribute.getValue()))
        addSize(size);
  });
  return {names.begin(), names.end()};
}
