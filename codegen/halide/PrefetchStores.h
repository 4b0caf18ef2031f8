//===- PrefetchStores.h - Results that a tile asks for ----------*- C++ -*-===//
//
// A tile of sums is in registers until they are complete, and then goes to a few lines of each of
// several rows of a result. A store to a line that no cache holds waits for it from memory; the
// sums before it hardly use the memory.
//
// 1. In a lowered function (the body of a parallel loop is one of its own), find functions of
//    Halide that are in registers and computed in loops, and what is stored of them behind.
// 2. Ask, in front of the loops, for each line of the vectors that are stored there: to memory that
//    no task has allocated, be it this one or one around it, for what it has is in its cache; and
//    on no condition, so that a tile which reaches beyond the last row asks for nothing.
//
// What is read there to be added to, as sums of earlier chunks and stretches are, is thereby asked
// for as well.
//
// A step of Transformer-base takes 0.9 % less on two cores of an Emerald Rapids, products of
// 2048 x 512 x 512 up to 10 %. To spread the lines over the iterations of a sum costs more than it
// gains: their loops are short, and every instruction counts.
//
// Test: tests/codegen/halide/PrefetchStoresTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"

#include "llvm/ADT/StringSet.h"

namespace axloom::codegen {
/// Adds the names of what a lowered function allocates.
void collectAllocations(const Halide::Internal::Stmt &body, llvm::StringSet<> &names);

/// A lowered function that asks for what its tiles will write. `scratch`: what tasks around it have
/// allocated.
Halide::Internal::Stmt prefetchStores(const Halide::Internal::Stmt &body,
                                      llvm::StringSet<> scratch = {});
} // namespace axloom::codegen
