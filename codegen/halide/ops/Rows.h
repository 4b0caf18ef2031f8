//===- Rows.h - Sums and maxima along axes, for composites ------*- C++ -*-===//

#pragma once

#include "codegen/halide/Region.h"

namespace axloom::codegen {
/// An element in f32, or in f64 where the value is f64.
Halide::Expr floatAt(mlir::Value value, const Coordinates &coordinates, LoweredRegion &region);

/// What sums of a type start with, and an element as what is computed takes it: in f32 where it is
/// bf16.
Halide::Expr zeroOf(ir::NamedTensorType type);
Halide::Expr widened(const Halide::Expr &x);

/// An element as a factor of bf16; see ir/Factors.h. What was bf16 before is not rounded again.
Halide::Expr roundedFactor(const Halide::Expr &x);
/// The same where `inside` holds, 0 elsewhere.
Halide::Expr roundedFactor(const Halide::Expr &x, const Halide::Expr &inside);
/// Whether an element was bf16 before.
bool isRounded(const Halide::Expr &x);

/// The lowest finite number of a type of floats: where a maximum begins. Halide's own lowest one is
/// -inf, below which LLVM takes the lowest finite one, as an element, for no change.
double lowestFinite(Halide::Type type);

/// An element that is reduced over a domain, even if it is the same all along: Halide drops a
/// domain that no element mentions, and would count such an element once.
Halide::Expr overDomain(const Halide::Expr &element, const Halide::RDom &domain);

/// Whether the innermost dimension of a tensor of this type is among the axes.
bool walksInnermost(ir::NamedTensorType type, llvm::ArrayRef<llvm::StringRef> axes,
                    LoweredRegion &region);

/// The sum, or the maximum, of `element` along axes of `type`: a stage over the other axes.
Stage &sumOver(mlir::Operation *op, llvm::StringRef role, ir::NamedTensorType type,
               llvm::ArrayRef<llvm::StringRef> axes, LoweredRegion &region,
               const LoweredRegion::Definition &element);
Stage &maximumOver(mlir::Operation *op, llvm::StringRef role, ir::NamedTensorType type,
                   llvm::ArrayRef<llvm::StringRef> axes, LoweredRegion &region,
                   const LoweredRegion::Definition &element);
} // namespace axloom::codegen
