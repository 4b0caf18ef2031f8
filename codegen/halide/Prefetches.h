//===- Prefetches.h - What Halide's prefetches should ask for ---*- C++ -*-===//
//
// 1. Halide 21 goes through a row of more than 64 bytes line by line, but counts the bytes to the
//    next line as elements: of f32, one line of the row in four is asked for, and lines behind the
//    row. All lines are asked for.
// 2. A short row needs no loop.
// 3. A long one, asked for in front of loops, would fill all the buffers that wait for memory, and
//    the loops would wait, too. The innermost loops behind it that read the same tensor ask for it
//    instead: the row is cut into as many shares as they have iterations, each of which asks for
//    the line where its share begins.
// 4. Halide asks for all as data that is read once, which Intel's processors do not put into the
//    private cache: a product that asks for its panel so takes four times as long as one that does
//    not. Prefetches fill all caches.
//
// Test: tests/codegen/halide/PrefetchTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"

namespace llvm {
class Module;
} // namespace llvm

namespace axloom::codegen {
/// A lowered function whose prefetches ask for each line of a row: without a loop if it is short,
/// spread over the loops that read on if it is long.
Halide::Internal::Stmt correctPrefetches(const Halide::Internal::Stmt &body);

/// Has all prefetches of a module fill all caches.
void prefetchToAllCaches(llvm::Module &module);
} // namespace axloom::codegen
