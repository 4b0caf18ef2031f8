//===- RaggedSizes.h - Sizes that follow from lengths -----------*- C++ -*-===//
//
// Which ragged sizes a module has, where their lengths come from, and what is derived of them: the
// longest lengths and the totals that ir/Ragged.h speaks of. Test:
// tests/codegen/host/DescriptionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <string>
#include <vector>

namespace axloom::codegen {
/// The axis that a size is ragged over, and how many entries that has.
struct RaggedSize {
  mlir::StringAttr partner;
  ir::SizeAttr entries;
};

struct DerivedSize {
  std::string name;
  bool isTotal = false; // or else the longest length
  std::vector<std::string> factors;
  ir::SizeAttr entries;
};

struct ByName {
  bool operator()(mlir::StringAttr a, mlir::StringAttr b) const {
    return a.getValue() < b.getValue();
  }
};

/// Visits the types of a function's tensors, with the op or function that they belong to.
void forEachTensor(mlir::func::FuncOp function,
                   llvm::function_ref<void(ir::NamedTensorType, mlir::Operation *)> visit);

/// The ragged size symbols of a function, of its tensors and of lengths that it has as numbers.
std::map<mlir::StringAttr, RaggedSize, ByName> raggedSizes(mlir::func::FuncOp function);

/// What the functions of a module derive of lengths, each once, with the most entries.
std::vector<DerivedSize> derivedSizes(mlir::ModuleOp module);

/// The dimensions of a tensor as users know them; those that a ragged tensor joins have the names
/// of all their axes.
std::vector<std::string> dimensionNames(ir::NamedTensorType type, mlir::ArrayAttr order);

/// Reports what is ragged in a way that no program can be made of.
mlir::LogicalResult checkRagged(mlir::ModuleOp module);
} // namespace axloom::codegen
