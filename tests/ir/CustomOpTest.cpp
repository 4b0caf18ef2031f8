// Custom ops as the dialect sees them: definitions of a context, what text alone can say, and what
// needs the definition.

#include "ir/Build.h"
#include "tests/support/Gradients.h"
#include "tests/support/Graphs.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::ir::reference;
using namespace axloom::test;

namespace {
const char *text = R"(
func.func @f(%x: !axloom.tensor<batch: 3, f32>, %keep: !axloom.tensor<model: 2, i1>)
    -> !axloom.tensor<batch: 3, model: 2, f32> {
  %y = axloom.custom @square(%x, %keep) : (!axloom.tensor<batch: 3, f32>, !axloom.tensor<model: 2, i1>) -> !axloom.tensor<batch: 3, model: 2, f32>
  return %y : !axloom.tensor<batch: 3, model: 2, f32>
}
)";

/// x * x where the mask holds, x elsewhere.
ir::CustomDefinition square(MLIRContext &context) {
  Builder builder(&context);
  ir::CustomDefinition definition{
      .name = "square",
      .elements = {builder.getF32Type(), builder.getI1Type()},
      .location = FileLineColLoc::get(&context, "ops.cpp", 7, 1),
      .reference = [](ArrayRef<double> x) { return x[1] != 0 ? x[0] * x[0] : x[0]; },
      .adjoint = {},
      .body = nullptr};
  definition.adjoint = [](ir::CustomOp op, ir::Adjoints &adjoints) {
    ir::Term x = adjoints.term(op.getInputs()[0]), g = adjoints.term(adjoints.of(op.getY()));
    ir::Term keep = adjoints.term(op.getInputs()[1]);
    return SmallVector<Value>{ir::select(keep, g * x * 2.0, g), Value()};
  };
  return definition;
}

struct CustomOp : testing::Test {
  ir::CustomOps &known() {
    return graphs.context().getLoadedDialect<ir::AxloomDialect>()->customOps;
  }
  Graphs graphs;
};
} // namespace

TEST_F(CustomOp, ComesBackFromItsTextWithoutADefinition) {
  OwningOpRef<ModuleOp> module = graphs.parse(text);
  ASSERT_TRUE(module) << graphs.takeErrors();
  std::string printed = print(*module);
  EXPECT_EQ(print(*graphs.parse(printed)), printed);
  EXPECT_TRUE(succeeded(graphs.run(*module, "simplify,form-kernels")));
}

TEST_F(CustomOp, IsDifferentiatedAndInterpretedByItsDefinition) {
  ASSERT_TRUE(succeeded(known().add(square(graphs.context()))));
  OwningOpRef<ModuleOp> module = graphs.parse(text);
  func::FuncOp function = functionOf(*module, "f"), gradient = addGradientFunction(function);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    Inputs inputs;
    for (Type type : function.getArgumentTypes())
      inputs.arguments.push_back(filled(llvm::cast<ir::NamedTensorType>(type),
                                        isDifferentiable(type) ? uniform(-1, 1) : mask(),
                                        inputs.sizes, random));
    EXPECT_EQ(finiteDifferenceError(graphs, function, gradient,
                                    gradientInputs(gradient, inputs, random), random),
              "");
  }
}

TEST_F(CustomOp, NeedsItsDefinitionToMeanAnything) {
  OwningOpRef<ModuleOp> module = graphs.parse(text);
  Inputs inputs;
  for (Type type : functionOf(*module, "f").getArgumentTypes())
    inputs.arguments.emplace_back(llvm::cast<ir::NamedTensorType>(type).getAxes(), inputs.sizes);
  EXPECT_TRUE(failed(interpret(functionOf(*module, "f"), inputs)));
  EXPECT_EQ(graphs.takeErrors(),
            "4:8: op 'square' is not defined here: what it means is C++ in the program that its "
            "author wrote, so run that program and not its printed graph\n");
  addGradientFunction(functionOf(*module, "f"));
  EXPECT_TRUE(failed(graphs.run(*module, "differentiate")));
  EXPECT_EQ(graphs.takeErrors(),
            "4:8: op 'square' is not defined here: what it means is C++ in the program that its "
            "author wrote, so run that program and not its printed graph\n");
}

TEST_F(CustomOp, TakesTheElementsOfItsDefinition) {
  ir::CustomDefinition definition = square(graphs.context());
  definition.elements.pop_back();
  ASSERT_TRUE(succeeded(known().add(definition)));
  EXPECT_FALSE(graphs.parse(text));
  EXPECT_EQ(graphs.takeErrors(), "4:8: op 'square' takes elements of (f32), found (f32, i1)\n"
                                 "4:8: 'axloom.custom' op failed to infer returned types\n");
}

TEST_F(CustomOp, ANameHasOneDefinition) {
  EXPECT_TRUE(succeeded(known().add(square(graphs.context()))));
  EXPECT_TRUE(succeeded(known().add(square(graphs.context()))));
  ir::CustomDefinition other = square(graphs.context());
  other.location = FileLineColLoc::get(&graphs.context(), "ops.cpp", 9, 1);
  EXPECT_TRUE(failed(known().add(other)));
  EXPECT_EQ(known().find("other"), nullptr);
}
