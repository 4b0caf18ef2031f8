//===- Explain.h - Where a model's time and memory will go ------*- C++ -*-===//
//
// For each function, its launches by the time that the machine's limits allow at best, with their
// source lines, and why ops were put together or not; and the arena. With values for the size
// symbols there are numbers, without them formulas. Test: tests/codegen/explain/ExplainTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/explain/SizeValues.h"
#include "codegen/host/Description.h"
#include "passes/Pipeline.h"
#include "passes/Remarks.h"

namespace axloom::codegen {
/// What the machine can do at most.
struct MachineLimits {
  double gflops = 0;     // GFLOP/s of multiply-adds
  double bandwidth = 0;  // GB/s from memory
  double bf16Gflops = 0; // GFLOP/s where factors are bf16; 0: no more
};

/// What a user asks.
struct Question {
  std::vector<std::string> sizes; // "B=32"
  std::string line;               // "model.cpp:40": only what comes from there; empty: all
  MachineLimits machine;          // 0: not given
};

/// What is wrong with the line, as a sentence for the user; empty if nothing is.
std::string problemWithLine(llvm::StringRef line);

/// The answer as text; with values for the sizes, limits of the machine are needed too.
std::string explain(mlir::ModuleOp planned, const Description &model, const SizeValues &sizes,
                    const Question &question, const passes::PipelineOptions &pipeline,
                    llvm::ArrayRef<passes::Remark> remarks);
} // namespace axloom::codegen
