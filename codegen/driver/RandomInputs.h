//===- RandomInputs.h - Something to run a function on ----------*- C++ -*-===//
//
// Small sizes and seeded values for the reference interpreter. Test:
// tests/codegen/driver/CheckGradientsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/driver/CheckGradients.h"
#include "ir/reference/Interpreter.h"

#include <random>

namespace axloom::codegen {
/// Values for all size symbols, arguments and variables, as the options say.
ir::reference::Inputs randomInputs(mlir::func::FuncOp function,
                                   const GradientCheckOptions &options);

/// Numbers in [low, high) at all points that exist.
ir::reference::Array randomArray(const ir::reference::Space &space, double low, double high,
                                 std::mt19937_64 &random);
} // namespace axloom::codegen
