// Every op, compiled: results and gradients agree with the interpreter at sizes that are no
// multiples of any tile, all run on one compile.

#include "tests/support/CompiledExecutor.h"
#include "tests/support/Gradients.h"
#include "tests/support/OpCases.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

class CompiledOp : public testing::TestWithParam<size_t> {};

TEST_P(CompiledOp, AgreesWithTheInterpreter) {
  const OpCase &opCase = opCases()[GetParam()];
  Graphs graphs;
  Random random(GetParam());
  OwningOpRef<ModuleOp> module = build(graphs, opCase);
  func::FuncOp function = functionOf(*module, "f");
  func::FuncOp gradient = opCase.differentiable ? addGradientFunction(function) : func::FuncOp();
  CompiledExecutor compiled;
  for (const ir::reference::Sizes &sizes : sizesFor(function, random)) {
    ir::reference::Inputs inputs = inputsFor(opCase, function, sizes, random);
    ASSERT_EQ(disagreement(graphs, compiled, *module, "f", inputs, Tolerance::f32()), "")
        << print(*module);
    if (gradient) {
      ASSERT_EQ(disagreement(graphs, compiled, *module, gradient.getName(),
                             gradientInputs(gradient, inputs, random), Tolerance::f32()),
                "")
          << print(*module);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CompiledOp, testing::Range<size_t>(0, opCases().size()), caseName);
