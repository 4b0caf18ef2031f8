//===- KernelInfo.h - What the attributes of a kernel say -------*- C++ -*-===//
//
// Layouts with their defaults, inputs passed by value, where values lie, results that overwrite an
// input, size symbols. Test: tests/codegen/CanonicalTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

#include <string>
#include <vector>

namespace axloom::codegen {
/// The physical layout of an input or result; the sorted order of its axes where no pass gave one.
ir::LayoutAttr inputLayout(ir::KernelOp kernel, unsigned index);
ir::LayoutAttr resultLayout(ir::KernelOp kernel, unsigned index);

bool isPassedByValue(ir::KernelOp kernel, unsigned input);

/// Where a value lies: where its kernel was told to put it, or in the variable that was read. Null:
/// in memory of its own.
ir::PlacementAttr placementOf(mlir::Value value);

/// For each result the input whose memory it overwrites, or -1: both lie in the same slot or
/// variable. A kernel that stands alone says so in an attribute `overwrites`.
std::vector<int64_t> overwrittenInputs(ir::KernelOp kernel);

/// The update whose result overwrites the very tensor that it changes, so that rows are all there
/// is to write; a row has one index. Null for other results.
ir::UpdateOp rowUpdate(ir::KernelOp kernel, unsigned result);

/// The size symbols that the types and attributes in the kernel's region mention, sorted;
/// `longest.S` for a ragged size.
std::vector<std::string> sizeSymbols(ir::KernelOp kernel);
} // namespace axloom::codegen
