//===- PrefetchOffsets.h - Prefetches of rows longer than a line -*- C++ -*-===//
//
// Halide 21 goes through a row of more than 64 bytes line by line, but counts the bytes to the next
// line as elements: of f32, one line of the row in four is asked for, and lines behind the row.
// Test: tests/codegen/halide/PrefetchTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"

namespace axloom::codegen {
/// A lowered function whose prefetches ask for each line of a row.
Halide::Internal::Stmt correctPrefetches(const Halide::Internal::Stmt &body);
} // namespace axloom::codegen
