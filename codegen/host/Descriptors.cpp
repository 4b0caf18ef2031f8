#include "codegen/host/Descriptors.h"

using namespace mlir;
using namespace axloom::codegen;

Descriptors::Descriptors(Abi &abi, ImplicitLocOpBuilder &builder, int32_t tensorCount,
                         int32_t scalarCount)
    : abi(abi) {
  auto array = [&](Type element, int32_t count) {
    return LLVM::AllocaOp::create(builder, abi.pointer, element,
                                  abi.number64(builder, std::max(count, 1)));
  };
  tensorArray = array(abi.tensor, tensorCount);
  scalarArray = array(abi.i32, scalarCount);
}

/// The address of a field of a tensor, or of an element of an array field.
static Value field(Abi &abi, ImplicitLocOpBuilder &builder, Value array, int32_t index,
                   TensorField which, int32_t element = -1) {
  SmallVector<LLVM::GEPArg> path = {index, int32_t(which)};
  if (element >= 0)
    path.push_back(element);
  return LLVM::GEPOp::create(builder, abi.pointer, abi.tensor, array, path);
}

void Descriptors::setTensor(ImplicitLocOpBuilder &builder, int32_t index, const Place &place,
                            int32_t type, ValueRange extents, ValueRange strides) {
  auto store = [&](Value value, TensorField which, int32_t element = -1) {
    LLVM::StoreOp::create(builder, value, field(abi, builder, tensorArray, index, which, element));
  };
  store(place.memory, tensorMemory);
  store(place.offset, tensorOffset);
  store(abi.number32(builder, type), tensorType);
  store(abi.number32(builder, int32_t(extents.size())), tensorRank);
  for (auto [axis, extent, stride] : llvm::enumerate(extents, strides)) {
    store(extent, tensorExtent, int32_t(axis));
    store(stride, tensorStride, int32_t(axis));
  }
}

void Descriptors::setScalar(ImplicitLocOpBuilder &builder, int32_t index, Value value) {
  Value address = LLVM::GEPOp::create(builder, abi.pointer, abi.i32, scalarArray,
                                      ArrayRef<LLVM::GEPArg>{index});
  LLVM::StoreOp::create(builder, value, address);
}

Value Descriptors::tensor(ImplicitLocOpBuilder &builder, int32_t index) {
  return LLVM::GEPOp::create(builder, abi.pointer, abi.tensor, tensorArray,
                             ArrayRef<LLVM::GEPArg>{index});
}

Place axloom::codegen::placeOf(Abi &abi, ImplicitLocOpBuilder &builder, Value tensor) {
  auto load = [&](Type type, TensorField which) {
    return LLVM::LoadOp::create(builder, type, field(abi, builder, tensor, 0, which));
  };
  return {load(abi.pointer, tensorMemory), load(abi.i64, tensorOffset)};
}

SmallVector<Value> axloom::codegen::denseStrides(Abi &abi, ImplicitLocOpBuilder &builder,
                                                 ValueRange extents) {
  SmallVector<Value> strides(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    bool isInner = axis + 1 == extents.size();
    strides[axis] = isInner ? abi.number64(builder, 1)
                            : abi.product(builder, strides[axis + 1], extents[axis + 1]);
  }
  return strides;
}
