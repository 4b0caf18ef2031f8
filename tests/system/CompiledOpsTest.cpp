// Every op, compiled: results and gradients agree with the interpreter at sizes that are no
// multiples of any tile, all run on one compile.

#include "tests/support/CompiledExecutor.h"
#include "tests/support/Gradients.h"
#include "tests/support/OpCases.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

static bool isRagged(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) {
    return llvm::any_of(llvm::cast<ir::NamedTensorType>(type).getAxes(),
                        [](const ir::Axis &axis) { return axis.size().isRagged(); });
  });
}

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
    if (isRagged(function)) { // refused, and never computed as if it were padded
      ASSERT_TRUE(failed(compiled.run(*module, "f", inputs)));
      ASSERT_THAT(graphs.takeErrors(), testing::HasSubstr("has the ragged size"));
      return;
    }
    ASSERT_EQ(disagreement(graphs, compiled, *module, "f", inputs, Tolerance::f32()), "")
        << print(*module);
    if (gradient)
      ASSERT_EQ(disagreement(graphs, compiled, *module, gradient.getName(),
                             gradientInputs(gradient, inputs, random), Tolerance::f32()),
                "")
          << print(*module);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CompiledOp, testing::Range<size_t>(0, opCases().size()), caseName);
