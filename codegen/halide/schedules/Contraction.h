//===- Contraction.h - Planning contractions --------------------*- C++ -*-===//
//
// What families of kernels with contractions have in common. Test:
// tests/codegen/halide/ContractionTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/schedules/Family.h"

namespace axloom::codegen {
/// How a contraction is a matrix product under the plan's groups, or nothing if it is none.
std::optional<MatrixPlan> planMatrix(ir::ContractOp op, ir::KernelOp kernel,
                                     llvm::ArrayRef<std::string> axisOrder, const KernelPlan &plan,
                                     const TargetTraits &traits);
} // namespace axloom::codegen
