#include "ir/reference/Array.h"

using namespace axloom::ir;
using namespace axloom::ir::reference;

int64_t Array::stride(llvm::StringRef axis) const {
  int64_t position = space.position(axis);
  if (position < 0)
    return 0;
  int64_t stride = 1;
  for (int64_t extent : space.extents().drop_front(position + 1))
    stride *= extent;
  return stride;
}

View::View(const Array &array, const Space &space) : array(&array), space(&space) {
  for (const Axis &axis : space.axes())
    strides.push_back(array.stride(axis.name));
}

View &View::along(llvm::StringRef axis, int64_t stride) {
  strides[space->position(axis)] = stride;
  return *this;
}

int64_t View::offset(Point point) const {
  int64_t offset = 0;
  for (size_t axis = 0; axis < point.size(); ++axis)
    offset += point[axis] * strides[axis];
  return offset;
}
