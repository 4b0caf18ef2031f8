//===- Coordinates.h - Where an element is, by the names of axes -*- C++ -*-===//
//
// Values are read at coordinates: an expression for each axis. Axes that the plan collapsed share
// one expression, and are taken apart only where a value has some of them but not all. Along a
// dimension that a loop over chunks advances, coordinates are local to the chunk; `logical` adds
// where the chunk starts. Test: tests/codegen/halide/OpsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"
#include "codegen/halide/Plan.h"

#include <map>

namespace axloom::codegen {
/// What is known of the axes of one kernel: which are collapsed, where chunks start, sizes of
/// collapsed axes.
class AxisSpace {
public:
  /// `origins` are keyed by a dimension's first axis, `extents` by axis and needed for collapsed
  /// ones only.
  AxisSpace(std::vector<AxisList> groups, std::map<std::string, Halide::Expr> origins,
            std::map<std::string, Halide::Expr> extents)
      : groups(std::move(groups)), origins(std::move(origins)), extents(std::move(extents)) {}

  /// The group that the axis is in, or null.
  const AxisList *groupOf(const std::string &axis) const;
  Halide::Expr extent(const std::string &axis) const { return extents.at(axis); }
  /// Where the chunk starts along the dimension: 0 unless a loop advances it.
  Halide::Expr origin(const AxisList &dimension) const;

private:
  std::vector<AxisList> groups;
  std::map<std::string, Halide::Expr> origins, extents;
};

class Coordinates {
public:
  explicit Coordinates(const AxisSpace &space) : space(&space) {}

  /// The index along a dimension: an axis, or a whole group. Local to the chunk.
  Halide::Expr operator[](const AxisList &dimension) const;
  Halide::Expr operator[](llvm::StringRef axis) const { return (*this)[AxisList{axis.str()}]; }

  /// The index along an axis counted from the start of the tensor.
  Halide::Expr logical(llvm::StringRef axis) const;

  /// The index of the pair (outer, inner) as one axis of size outer * innerSize.
  Halide::Expr merged(llvm::StringRef outer, llvm::StringRef inner, Halide::Expr innerSize) const;

  /// These coordinates, with another index along one dimension.
  Coordinates with(const AxisList &dimension, Halide::Expr index) const;
  Coordinates with(llvm::StringRef axis, Halide::Expr index) const {
    return with(AxisList{axis.str()}, index);
  }
  /// The same where the index is counted from the start of the tensor.
  Coordinates withLogical(llvm::StringRef axis, Halide::Expr index) const;
  /// The same where an index along (outer, inner) as one axis is given.
  Coordinates withMerged(llvm::StringRef outer, llvm::StringRef inner, Halide::Expr innerSize,
                         Halide::Expr index) const;

private:
  /// Sets a dimension, and takes a group apart where one of its axes gets an index of its own.
  void set(const AxisList &dimension, Halide::Expr index);

  const AxisSpace *space;
  std::map<AxisList, Halide::Expr> indices;
};
} // namespace axloom::codegen
