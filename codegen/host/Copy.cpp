#include "codegen/host/Copy.h"

#include "codegen/host/Elements.h"
#include "ir/Ragged.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// The dimensions of a tensor in memory, each by an axis: a ragged pair is one, by its partner.
static SmallVector<StringAttr> dimensionsOf(ir::LayoutAttr layout,
                                            const std::optional<ir::RaggedPart> &part) {
  return llvm::to_vector(llvm::make_filter_range(layout.getOrder(), [&](StringAttr axis) {
    return !part || !part->has(axis) || axis == part->partner;
  }));
}

LogicalResult codegen::describeCopy(Abi &abi, ImplicitLocOpBuilder &builder, Sizes &sizes,
                                    Descriptors &descriptors, ir::NamedTensorType type,
                                    const Stored &source, const Stored &destination,
                                    Operation *where) {
  std::optional<ir::RaggedPart> part = ir::raggedPart(type);
  if (part && !llvm::equal(source.layout.getOrder().take_front(part->axes.size() + 1),
                           destination.layout.getOrder().take_front(part->axes.size() + 1)))
    return where->emitError("hands on a ragged value in another order: ")
           << source.layout << " as " << destination.layout;
  auto extentsIn = [&](ir::LayoutAttr layout) {
    SmallVector<Value> extents;
    for (ir::SizeAttr size : ir::memorySizes(type, layout.getOrder()))
      extents.push_back(sizes.of(builder, size));
    return extents;
  };
  SmallVector<StringAttr> order = dimensionsOf(source.layout, part);
  SmallVector<Value> strides = denseStrides(abi, builder, extentsIn(source.layout));
  SmallVector<Value> extents = extentsIn(destination.layout), reordered;
  for (StringAttr axis : dimensionsOf(destination.layout, part))
    reordered.push_back(strides[llvm::find(order, axis) - order.begin()]);
  int32_t tag = elementTag(type.getElementType());
  descriptors.setTensor(builder, 0, destination.place, tag, extents,
                        denseStrides(abi, builder, extents));
  descriptors.setTensor(builder, 1, source.place, tag, extents, reordered);
  return success();
}
