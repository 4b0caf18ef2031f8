//===- Array.h - Tensors of the reference interpreter -----------*- C++ -*-===//
//
// An array holds one double for each point of its space, whatever the element type (i32 fits, i1 is
// 0 or 1), row-major in the order of the axes' names. A view reads or writes it from the points of
// another space: an axis that the array lacks is repeated (broadcasting by name).
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/reference/Space.h"

namespace axloom::ir::reference {
struct Array {
  Space space;
  std::vector<double> values; // 0 at points that do not exist

  Array() = default;
  explicit Array(Space space) : space(std::move(space)), values(this->space.volume()) {}
  Array(llvm::ArrayRef<Axis> axes, const Sizes &sizes) : Array(Space(axes, sizes)) {}
  /// A tensor without axes.
  explicit Array(double scalar) : values{scalar} {}

  /// How far apart in `values` neighbours along the axis are; 0 if the array lacks the axis.
  int64_t stride(llvm::StringRef axis) const;
};

/// Where the elements of an array lie that belong to the points of a space.
class View {
public:
  View(const Array &array, const Space &space);

  /// Lets one step along an axis of the space move by `stride` values of the array.
  View &along(llvm::StringRef axis, int64_t stride);
  int64_t offset(Point point) const;

protected:
  const Array *array;
  const Space *space;
  llvm::SmallVector<int64_t> strides;
};

/// A view to read from. `at` reads the element `steps` further along an axis of the array.
struct Read : View {
  using View::View;
  double operator[](Point point) const { return array->values[offset(point)]; }
  double at(Point point, llvm::StringRef axis, int64_t steps) const {
    return array->values[offset(point) + steps * array->stride(axis)];
  }
};

/// A view to write to.
struct Write : View {
  Write(Array &array, const Space &space) : View(array, space), values(array.values) {}
  double &operator[](Point point) const { return values[offset(point)]; }
  double &at(Point point, llvm::StringRef axis, int64_t steps) const {
    return values[offset(point) + steps * array->stride(axis)];
  }
  std::vector<double> &values;
};
} // namespace axloom::ir::reference
