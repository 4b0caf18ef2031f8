//===- Search.h - The fastest schedule of a kernel --------------*- C++ -*-===//
//
// 1. Each choice is changed alone, to each of its values.
// 2. What was best for each choice, alone and all together, is measured again beside the usual
//    schedule. Something else has to be faster than that by a margin, or it stays: numbers jitter.
//
// Test: tests/codegen/tune/TunerTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"
#include "codegen/explain/SizeValues.h"

namespace axloom::codegen {
struct SearchResult {
  ChoiceValues choices;
  double usualSeconds = 0, bestSeconds = 0; // of a launch
};

/// Compiles and measures what the choices of a kernel allow. Diagnostics say why it cannot.
mlir::FailureOr<SearchResult> search(ir::KernelOp kernel, llvm::ArrayRef<Choice> choices,
                                     const SizeValues &sizes, Backend &backend,
                                     const Target &target, const CompileOptions &options);

/// Of the seconds that values took, those to be measured again; the first are the usual ones.
std::vector<ChoiceValues> finalists(llvm::ArrayRef<ChoiceValues> values,
                                    llvm::ArrayRef<double> seconds);

/// The first, unless another takes less than its time by a margin.
size_t winner(llvm::ArrayRef<double> seconds);
} // namespace axloom::codegen
