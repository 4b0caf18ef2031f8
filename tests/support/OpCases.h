//===- OpCases.h - One list of cases for all ops ----------------*- C++ -*-===//
//
// Every op of the dialect has at least one case here, and every check of ops runs over all of them:
// the interpreter's gradients against finite differences (tests/ir/GradientTest.cpp), compiled code
// against the interpreter (tests/system/CompiledOpsTest.cpp). tests/ir/OpCasesTest.cpp fails while
// a registered op has no case. To add one: write it beside its like in PointwiseCases.cpp,
// StructureCases.cpp or CompositeCases.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Build.h"
#include "tests/support/Graphs.h"
#include "tests/support/Values.h"

#include <gtest/gtest.h>

#include <functional>

namespace axloom::test {
/// Makes the ops of a case.
class CaseBuilder {
public:
  CaseBuilder(Graphs &graphs, mlir::ModuleOp module, mlir::OpBuilder builder)
      : graphs(graphs), module(module), builder(builder) {}

  /// Creates an op with inferred types; gives its results.
  template <typename Op, typename... Arguments> mlir::ValueRange op(Arguments &&...arguments) {
    auto made =
        ir::create<Op>(builder, builder.getUnknownLoc(), std::forward<Arguments>(arguments)...);
    if (failed(made))
      llvm::report_fatal_error("a test case is ill-typed");
    return made->getOperation()->getResults();
  }
  mlir::Value constant(double number);
  mlir::Value integer(int32_t number);
  mlir::ArrayAttr axes(llvm::ArrayRef<llvm::StringRef> names) {
    return builder.getStrArrayAttr(names);
  }
  llvm::APFloat number(double value) { return llvm::APFloat(value); }
  ir::NamedTensorType type(llvm::StringRef text) { return graphs.type(text); }
  /// The size written as in a type: "B", "2*B", "64".
  ir::SizeAttr size(llvm::StringRef text);

  Graphs &graphs;
  mlir::ModuleOp module;
  mlir::OpBuilder builder;
};

struct Argument {
  const char *type; // as in `!axloom.tensor<...>`
  Fill fill = {};
};

struct OpCase {
  std::string op;   // "layer_norm"
  std::string name; // what is special about it
  std::vector<Argument> arguments;
  std::function<llvm::SmallVector<mlir::Value>(CaseBuilder &, mlir::ValueRange)> build;
  bool differentiable = true; // wherever floats go in and come out
};

/// All cases of all ops.
const std::vector<OpCase> &opCases();

/// "17_softmax_padding_mask": the name of a test case that is parameterized by its number.
std::string caseName(const testing::TestParamInfo<size_t> &info);

/// A module with one function `f` that holds the case's op.
mlir::OwningOpRef<mlir::ModuleOp> build(Graphs &graphs, const OpCase &opCase);
/// Values for the size symbols, and lengths for ragged sizes, to run a case with: all 1 at first,
/// then others, sizes that are not multiples of any tile among them.
std::vector<ir::reference::Sizes> sizesFor(mlir::func::FuncOp function, Random &random);
/// Random inputs for one run of a case.
ir::reference::Inputs inputsFor(const OpCase &opCase, mlir::func::FuncOp function,
                                const ir::reference::Sizes &sizes, Random &random);

// The parts of the list.
void addPointwiseCases(std::vector<OpCase> &cases);
void addStructureCases(std::vector<OpCase> &cases);
void addCompositeCases(std::vector<OpCase> &cases);
} // namespace axloom::test
