//===- Lowering.h - The ops of a region in Halide ---------------*- C++ -*-===//
//
// A file for each group of ops. Each function tries to lower an op and says whether the op was one
// of its group. To add an op: add a case in its group's file; tests/codegen/halide/OpsTest.cpp
// checks it against the interpreter.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Region.h"

namespace axloom::codegen {
bool lowerPointwise(mlir::Operation *op, LoweredRegion &region); // Pointwise.cpp
bool lowerStructure(mlir::Operation *op, LoweredRegion &region); // Structure.cpp
bool lowerIndexing(mlir::Operation *op, LoweredRegion &region);  // Indexing.cpp
bool lowerReduction(mlir::Operation *op, LoweredRegion &region); // Reduction.cpp
bool lowerComposite(mlir::Operation *op, LoweredRegion &region); // Composite.cpp
bool lowerAttention(mlir::Operation *op, LoweredRegion &region); // Attention.cpp
/// Where the attention families plan the kernel: AttentionBlocks.cpp
bool lowerAttentionBlocks(mlir::Operation *op, LoweredRegion &region);

/// Lowers any op, or says at its location that the backend cannot.
mlir::LogicalResult lowerOp(mlir::Operation *op, LoweredRegion &region);
} // namespace axloom::codegen
