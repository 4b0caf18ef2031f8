// The gradients of every op against finite differences, both interpreted in double precision; and
// gradients of gradients against what they are known to be.

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

/// What a function of two vectors gives for {1, 2, 3} and {5, 7, 11}.
static std::vector<double> valuesOf(const std::string &body, const std::string &result) {
  const std::string type = "!axloom.tensor<a: 3, f32>";
  Graphs graphs;
  OwningOpRef<ModuleOp> module = graphs.parse(
      "!t = " + type + "\n!s = !axloom.tensor<f32>\nfunc.func @f(%x: !t, %y: !t) -> !t {\n" + body +
      "return " + result + " : !t\n}\n");
  ir::reference::Inputs inputs;
  for (const auto &values : {std::vector<double>{1, 2, 3}, {5, 7, 11}}) {
    auto argument = llvm::cast<ir::NamedTensorType>(
        functionOf(*module, "f").getArgumentTypes()[inputs.arguments.size()]);
    ir::reference::Array array(argument.getAxes(), inputs.sizes);
    array.values = values;
    inputs.arguments.push_back(array);
  }
  auto outputs = InterpreterExecutor(graphs).run(*module, "f", inputs);
  EXPECT_TRUE(succeeded(outputs)) << graphs.takeErrors();
  return outputs->results.at(0).values;
}

// d/dx sum(d/dx sum(x^3)) = 6 x, through the ops that the first gradient became.
TEST(GradientOfGradient, OfACube) {
  EXPECT_EQ(valuesOf(R"(
    %square = axloom.mul %x, %x : !t, !t -> !t
    %cube = axloom.mul %square, %x : !t, !t -> !t
    %loss = axloom.reduce "sum" %cube over ["a"] : !t -> !s
    %dx = axloom.gradient %loss wrt(%x) : !s, !t -> !t
    %total = axloom.reduce "sum" %dx over ["a"] : !t -> !s
    %ddx = axloom.gradient %total wrt(%x) : !s, !t -> !t
  )",
                     "%ddx"),
            (std::vector<double>{6, 12, 18}));
}

// The gradients of a sum are one value twice, 2 (x + y): each is its own to a gradient with respect
// to it.
TEST(GradientOfGradient, WithRespectToOneOfTwoThatAreEqual) {
  EXPECT_EQ(valuesOf(R"(
    %both = axloom.add %x, %y : !t, !t -> !t
    %square = axloom.mul %both, %both : !t, !t -> !t
    %loss = axloom.reduce "sum" %square over ["a"] : !t -> !s
    %dx, %dy = axloom.gradient %loss wrt(%x, %y) : !s, !t, !t -> !t, !t
    %products = axloom.mul %dx, %dy : !t, !t -> !t
    %total = axloom.reduce "sum" %products over ["a"] : !t -> !s
    %first = axloom.gradient %total wrt(%dx) : !s, !t -> !t
  )",
                     "%first"),
            (std::vector<double>{12, 18, 28}));
}

//===----------------------------------------------------------------------===//
// At a tie, where differences say nothing
//===----------------------------------------------------------------------===//

/// The gradient of a loss with respect to a value. `%zero` and `%same`, which is x, are computed,
/// since constants get no share.
static std::vector<double> gradientOf(const std::string &loss, const std::string &value) {
  return valuesOf(R"(
    %zero = axloom.sub %x, %x : !t, !t -> !t
    %one = axloom.constant 1.0 : f32 : !s
    %two = axloom.constant 2.0 : f32 : !s
    %same = axloom.mul %x, %one : !t, !s -> !t
  )" + loss + "%gradient = axloom.gradient %loss wrt(" +
                      value + ") : !s, !t -> !t\n",
                  "%gradient");
}

/// The gradient of the sum of what an op makes.
static std::vector<double> gradientOfSum(const std::string &op, const std::string &value) {
  return gradientOf("%made = axloom." + op +
                        " -> !t\n%loss = axloom.reduce \"sum\" %made over [\"a\"] : !t -> !s\n",
                    value);
}

TEST(GradientAtATie, OfTheLargestIsSharedByAllThatAreAsLarge) {
  for (std::string kind : {"max", "min"})
    EXPECT_EQ(gradientOf("%loss = axloom.reduce \"" + kind + "\" %zero over [\"a\"] : !t -> !s\n",
                         "%zero"),
              (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3}))
        << kind;
}

TEST(GradientAtATie, OfTwoValuesIsHalved) {
  for (std::string op : {"maximum", "minimum"})
    EXPECT_EQ(gradientOfSum(op + " %x, %same : !t, !t", "%same"),
              (std::vector<double>{0.5, 0.5, 0.5}))
        << op;
}

TEST(GradientAtATie, OfAValueAndAConstantIsZero) {
  EXPECT_EQ(gradientOfSum("maximum %x, %two : !t, !s", "%x"), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(gradientOfSum("minimum %x, %two : !t, !s", "%x"), (std::vector<double>{1, 0, 0}));
}

TEST(GradientAtATie, OfAnAbsoluteValueIsZero) {
  EXPECT_EQ(gradientOfSum("abs %zero : !t", "%zero"), (std::vector<double>{0, 0, 0}));
}
