//===- AbsorbViews.h - Tensors with the axes they have inside ---*- C++ -*-===//
//
// A kernel may read an input as another view of the same memory: with other names, with one axis
// split in two, or with two merged that lie one within the other. What it gives may be such a view
// of what it computes. All that is then left to the kernel is the computation:
//   1. Where attention reads slices of an input that are split into equal pieces, the input is
//      split first, then sliced.
//   2. An input whose uses are all the same view has the view's type and layout from the start.
//   3. A result that is nothing but a view has the type and layout of what it is a view of; one
//   that
//      is another name only, also where what it names is used elsewhere, or is a result itself.
// So dimensions that are the same in memory are the same by name, and schedules that know an op
// alone, as those of attention, know it with heads that are split from a model's width, too.
// Test: tests/codegen/AbsorbViewsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::codegen {
/// Changes the types of an isolated kernel's inputs and results, and of the values around it, which
/// the caller has to follow. States all layouts. What is overwritten, and what overwrites it, are
/// renamed at most.
void absorbViews(ir::KernelOp isolated);
} // namespace axloom::codegen
