//===- Work.h - How much there is to compute --------------------*- C++ -*-===//
//
// What reports and profiles compare times with. Test: tests/ir/WorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Dialect.h"

namespace axloom::ir {
/// The multiply-adds of an op's products, a size for each product; none for ops without products.
/// A gradient counts what it computes again.
llvm::SmallVector<SizeAttr> multiplyAdds(mlir::Operation *op);
} // namespace axloom::ir
