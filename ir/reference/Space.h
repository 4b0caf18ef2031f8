//===- Space.h - Points over named axes -------------------------*- C++ -*-===//
//
// The loops of the reference interpreter: a space is a set of axes with extents, and walking it
// visits its points in lexicographic order. A ragged axis has a length for each index of its
// partner axis; points beyond that length do not exist and are never visited. Test:
// tests/ir/InterpreterTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Types.h"

#include <map>
#include <string>
#include <vector>

namespace axloom::ir::reference {
/// What the size symbols in types stand for in one run.
struct Sizes {
  std::map<std::string, int64_t> symbols;
  /// For a ragged size such as `S[batch]`, under "S": the length at each index along `batch`.
  std::map<std::string, std::vector<int64_t>> lengths;

  /// The extent of an axis, padded if it is ragged. All its symbols must have values.
  int64_t extent(SizeAttr size) const;
};

/// One index for each axis of a space, in the space's order.
using Point = llvm::ArrayRef<int64_t>;

class Space {
public:
  Space() = default;
  Space(llvm::ArrayRef<Axis> axes, const Sizes &sizes);

  llvm::ArrayRef<Axis> axes() const { return allAxes; }
  llvm::ArrayRef<int64_t> extents() const { return allExtents; }
  /// The number of points, those that do not exist included.
  int64_t volume() const;
  /// Where the axis stands among the space's axes; -1 if it is not there.
  int64_t position(llvm::StringRef axis) const;
  /// Whether no ragged axis ends before the point.
  bool contains(Point point) const;
  /// Visits every point that exists.
  void forEach(llvm::function_ref<void(Point)> visit) const;

private:
  struct Raggedness {
    int64_t axis, partner;
    std::vector<int64_t> lengths; // one for each index of the partner axis
  };
  llvm::SmallVector<Axis> allAxes;
  llvm::SmallVector<int64_t> allExtents;
  std::vector<Raggedness> ragged;
};
} // namespace axloom::ir::reference
