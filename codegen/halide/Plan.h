//===- Plan.h - How a kernel is divided, decided before Halide --*- C++ -*-===//
//
// A schedule family first plans: which axes are one dimension, which loops over chunks the runtime runs, which blocks
// each chunk calls. A plan is cheap and needs no Halide, so the host program can be made for a kernel whose object comes
// from the cache. Test: tests/codegen/PlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

#include <string>
#include <vector>

namespace axloom::codegen {
/// Axes that are one dimension, slowest first. Most dimensions are one axis.
using AxisList = std::vector<std::string>;

/// A dimension of a tensor in memory.
struct PhysicalDimension {
  enum Kind { Whole, PanelIndex, PanelLane };
  AxisList axes;
  Kind kind = Whole;
};

/// A loop over chunks of a dimension. In a panelled operand it advances chunk / panel panels.
struct PlannedLoop {
  AxisList axes;
  bool parallel = true;
  int64_t chunk = 1;
};

/// A pipeline and the results that it writes.
struct PlannedBlock {
  std::vector<unsigned> results;
};

struct KernelPlan {
  std::string family;
  std::vector<AxisList> groups; // collapsed dimensions, of two axes or more
  std::vector<PlannedLoop> loops;
  std::vector<PlannedBlock> blocks;
  /// Results that are read as well as written, beyond those that overwrite an input.
  std::vector<unsigned> accumulated;
};

/// The axes of a tensor as dimensions under the plan's groups, in the order given (outermost first).
std::vector<AxisList> groupAxes(llvm::ArrayRef<mlir::StringAttr> order,
                                llvm::ArrayRef<AxisList> groups);

/// The dimensions of a layout, outermost first.
std::vector<PhysicalDimension> physicalDimensions(ir::LayoutAttr layout,
                                                  llvm::ArrayRef<AxisList> groups);

/// Pairs of neighbouring axes that all tensors of the kernel hold together, in one order, and that no op tells apart
/// in a way that matters: these are best treated as one dimension. [batch, position] x [heads, depth] becomes a matrix.
std::vector<AxisList> collapsibleGroups(ir::KernelOp kernel);

/// Fills in what follows from kernel and plan: operands, scalars, loops; names and blocks are the caller's.
CompiledKernel describe(ir::KernelOp kernel, const KernelPlan &plan);
} // namespace axloom::codegen
