//===- Copy.h - From one order of axes to another ---------------*- C++ -*-===//
//
// Host code copies what no kernel has written where it belongs: results that are arguments, and new
// values of variables that were computed elsewhere. Test: tests/codegen/host/HostProgramTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Descriptors.h"
#include "codegen/host/Sizes.h"

namespace axloom::codegen {
/// A tensor of a planned function: where it lies, and in which order.
struct Stored {
  Place place;
  ir::LayoutAttr layout;
};

/// Fills the descriptors 0 (where to) and 1 (where from) for axl_copy: both with the extents of the
/// destination, the source with the strides that walk it in the destination's order. Fails, with a
/// diagnostic at `where`, if a ragged value would change its order.
mlir::LogicalResult describeCopy(Abi &abi, mlir::ImplicitLocOpBuilder &builder, Sizes &sizes,
                                 Descriptors &descriptors, ir::NamedTensorType type,
                                 const Stored &source, const Stored &destination,
                                 mlir::Operation *where);
} // namespace axloom::codegen
