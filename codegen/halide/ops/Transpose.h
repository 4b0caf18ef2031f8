//===- Transpose.h - Transposing in registers -------------------*- C++ -*-===//
//
// A square of n x n elements, n a power of two (`TargetTraits::squareSide`), is transposed in
// log2(n) rounds. Each interleaves rows i and i + n/2 to rows 2i and 2i + 1: the bits of an
// element's place row * n + lane rotate by one, so that in the end row and lane have changed
// places. Interleaving two vectors is two instructions; vectors read across n rows are many
// (codegen/halide/README.md has the times).
//
// Test: tests/codegen/halide/AttentionTest.cpp, ContractionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Region.h"

namespace axloom::codegen {
/// An element of a matrix at (column, row).
using MatrixElement = std::function<Halide::Expr(const Halide::Expr &, const Halide::Expr &)>;

/// The dimensions of a reader that enclose its squares, innermost first.
struct Enclosing {
  std::vector<AxisList> dimensions;
  std::vector<Halide::Var> variables;
};

/// Elements of bf16 that a row of a square has, where pairs of them are one element of the square.
int32_t rowOfPairs(const TargetTraits &traits);

/// A matrix whose columns lie along memory, in functions from which it is read along rows: their
/// first dimensions are the square's, then comes what encloses it. `element` is asked for columns
/// and rows up to the end of the last square.
MatrixElement transposedMatrix(mlir::Operation *op, llvm::StringRef role,
                               const MatrixElement &element, const Enclosing &enclosing,
                               LoweredRegion &region);

/// The functions that transpose a matrix, in the order in which they are computed; none if no
/// matrix of that role is transposed.
std::vector<Stage *> transposeRounds(mlir::Operation *op, llvm::StringRef role,
                                     LoweredRegion &region);

/// Whether a function is one of these.
bool isTransposeRound(const Stage &stage);

/// Has a square transposed at each iteration of `level`.
void scheduleTranspose(mlir::Operation *op, llvm::StringRef role, Halide::Func at,
                       const Halide::Var &level, LoweredRegion &region);
} // namespace axloom::codegen
