//===- Prefetches.h - What Halide's prefetches should ask for ---*- C++ -*-===//
//
// Halide 21 goes through a row of more than 64 bytes line by line, but counts the bytes to the next
// line as elements: of f32, one line of the row in four is asked for, and lines behind the row. It
// asks for all as data that is read once, which Intel's processors do not put into the private
// cache: a product that asks for its panel so takes four times as long as one that does not.
// Test: tests/codegen/halide/PrefetchTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"

namespace llvm {
class Module;
} // namespace llvm

namespace axloom::codegen {
/// A lowered function whose prefetches ask for each line of a row, without a loop if it is short.
Halide::Internal::Stmt correctPrefetches(const Halide::Internal::Stmt &body);

/// Has all prefetches of a module fill all caches.
void prefetchToAllCaches(llvm::Module &module);
} // namespace axloom::codegen
