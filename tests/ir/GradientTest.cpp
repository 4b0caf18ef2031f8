// The gradients of every op against finite differences, both interpreted in double precision.

#include "tests/support/Gradients.h"
#include "tests/support/OpCases.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

class GradientOf : public testing::TestWithParam<size_t> {};

TEST_P(GradientOf, AgreesWithFiniteDifferences) {
  const OpCase &opCase = opCases()[GetParam()];
  Graphs graphs;
  Random random(GetParam());
  OwningOpRef<ModuleOp> module = build(graphs, opCase);
  func::FuncOp function = functionOf(*module, "f");
  func::FuncOp gradientFunction =
      opCase.differentiable ? addGradientFunction(function) : func::FuncOp();
  if (!gradientFunction)
    return; // nothing but integers or masks goes in or comes out
  ASSERT_TRUE(succeeded(verify(*module))) << graphs.takeErrors() << print(*module);
  for (const ir::reference::Sizes &sizes : sizesFor(function, random)) {
    ir::reference::Inputs inputs =
        gradientInputs(gradientFunction, inputsFor(opCase, function, sizes, random), random);
    ASSERT_EQ(finiteDifferenceError(graphs, function, gradientFunction, inputs, random), "")
        << print(*module);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GradientOf, testing::Range<size_t>(0, opCases().size()), caseName);
