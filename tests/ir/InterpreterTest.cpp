// The interpreter against values worked out by hand or by a closed form.

#include "tests/support/Graphs.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

using namespace mlir;
using namespace axloom::ir::reference;
using namespace axloom::test;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

namespace {
class Interpreter : public testing::Test {
protected:
  /// Gives the function `f` arguments, row-major in the order of the axes' names.
  std::vector<std::vector<double>> run(StringRef text, std::vector<std::vector<double>> arguments,
                                       Sizes sizes = {}) {
    module = graphs.parse(text);
    if (!module) {
      ADD_FAILURE() << graphs.takeErrors();
      return {{}};
    }
    func::FuncOp function = functionOf(*module, "f");
    Inputs inputs{sizes, {}, variables};
    for (auto [values, type] : llvm::zip(arguments, function.getArgumentTypes())) {
      Array array(llvm::cast<axloom::ir::NamedTensorType>(type).getAxes(), sizes);
      array.values = values;
      inputs.arguments.push_back(array);
    }
    FailureOr<Outputs> outputs = interpret(function, inputs);
    if (failed(outputs))
      return {{}};
    variables = outputs->variables;
    std::vector<std::vector<double>> results;
    for (const Array &result : outputs->results)
      results.push_back(result.values);
    return results;
  }

  Graphs graphs;
  OwningOpRef<ModuleOp> module;
  Variables variables;
};

auto near(std::vector<double> expected) { return Pointwise(DoubleNear(1e-12), expected); }
} // namespace

TEST_F(Interpreter, AddsByNameOfAxes) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<x: 2, f32>, %b: !axloom.tensor<y: 3, f32>)
        -> !axloom.tensor<x: 2, y: 3, f32> {
      %0 = axloom.add %a, %b : <x: 2, f32>, <y: 3, f32> -> <x: 2, y: 3, f32>
      return %0 : !axloom.tensor<x: 2, y: 3, f32>
    })",
                     {{10, 20}, {1, 2, 3}});
  EXPECT_THAT(results[0], ElementsAre(11, 12, 13, 21, 22, 23));
}

TEST_F(Interpreter, IntegersDivideDownwardsAndWrap) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<x: 4, i32>, %b: !axloom.tensor<x: 4, i32>)
        -> (!axloom.tensor<x: 4, i32>, !axloom.tensor<x: 4, i32>, !axloom.tensor<x: 4, i32>) {
      %q = axloom.div %a, %b : <x: 4, i32>, <x: 4, i32> -> <x: 4, i32>
      %r = axloom.rem %a, %b : <x: 4, i32>, <x: 4, i32> -> <x: 4, i32>
      %p = axloom.mul %a, %a : <x: 4, i32>, <x: 4, i32> -> <x: 4, i32>
      return %q, %r, %p : !axloom.tensor<x: 4, i32>, !axloom.tensor<x: 4, i32>, !axloom.tensor<x: 4, i32>
    })",
                     {{7, -7, 65537, 5}, {2, 2, -10, 0}});
  EXPECT_THAT(results[0], ElementsAre(3, -4, -6554, 0));
  EXPECT_THAT(results[1], ElementsAre(1, 1, -3, 0));
  EXPECT_THAT(results[2], ElementsAre(49, 49, 131073, 25));
}

TEST_F(Interpreter, ContractsMatrixAndVector) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<i: 2, j: 3, f32>, %b: !axloom.tensor<j: 3, f32>)
        -> !axloom.tensor<i: 2, f32> {
      %0 = axloom.contract %a, %b over ["j"] : <i: 2, j: 3, f32>, <j: 3, f32> -> <i: 2, f32>
      return %0 : !axloom.tensor<i: 2, f32>
    })",
                     {{1, 2, 3, 4, 5, 6}, {1, 0, -1}});
  EXPECT_THAT(results[0], ElementsAre(-2, -2));
}

// Of bf16, 1 + 2^-8 lies halfway between two numbers and goes to the even one, 1; 1 + 3 * 2^-8 goes
// to 1 + 2^-6. The sum keeps what bf16 has no place for.
TEST_F(Interpreter, RoundsFactorsAndNotTheirSum) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<i: 1, j: 3, f32>, %b: !axloom.tensor<j: 3, f32>)
        -> !axloom.tensor<i: 1, f32> {
      %0 = axloom.contract %a, %b over ["j"] {factors = bf16} : <i: 1, j: 3, f32>, <j: 3, f32> -> <i: 1, f32>
      return %0 : !axloom.tensor<i: 1, f32>
    })",
                     {{1 + 0x1p-8, 1 + 3 * 0x1p-8, 1}, {1, 1, 0x1p-12}});
  EXPECT_THAT(results[0], ElementsAre(1 + (1 + 0x1p-6) + 0x1p-12));
}

TEST_F(Interpreter, TheFirstOfTheLargestCounts) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<m: 4, f32>) -> !axloom.tensor<i32> {
      %0 = axloom.argmax %a over "m" : <m: 4, f32> -> <i32>
      return %0 : !axloom.tensor<i32>
    })",
                     {{3, 7, 7, 1}});
  EXPECT_THAT(results[0], ElementsAre(1));
}

TEST_F(Interpreter, RenamedAxesChangePlaces) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<i: 2, j: 3, f32>) -> !axloom.tensor<j: 3, z: 2, f32> {
      %0 = axloom.rename %a "i" to "z" : <i: 2, j: 3, f32> -> <j: 3, z: 2, f32>
      return %0 : !axloom.tensor<j: 3, z: 2, f32>
    })",
                     {{1, 2, 3, 4, 5, 6}});
  EXPECT_THAT(results[0], ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST_F(Interpreter, SplitsAndMergesWithTheFirstAxisSlower) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<m: 6, f32>)
        -> (!axloom.tensor<d: 3, h: 2, f32>, !axloom.tensor<m: 6, f32>) {
      %0 = axloom.split %a "m" into ["h", "d"] inner <3> : <m: 6, f32> -> <d: 3, h: 2, f32>
      %1 = axloom.merge %0 ["h", "d"] into "m" : <d: 3, h: 2, f32> -> <m: 6, f32>
      return %0, %1 : !axloom.tensor<d: 3, h: 2, f32>, !axloom.tensor<m: 6, f32>
    })",
                     {{0, 1, 2, 3, 4, 5}});
  EXPECT_THAT(results[0], ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(results[1], ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Interpreter, SlicesPadsShiftsAndUpdates) {
  auto results = run(R"(
    func.func @f(%a: !axloom.tensor<m: 4, f32>, %i: !axloom.tensor<i32>, %v: !axloom.tensor<f32>)
        -> (!axloom.tensor<m: 2, f32>, !axloom.tensor<m: 7, f32>, !axloom.tensor<m: 4, f32>,
            !axloom.tensor<m: 4, f32>) {
      %0 = axloom.slice %a "m" from 1 size 2 : <m: 4, f32> -> <m: 2, f32>
      %1 = axloom.pad %a "m" low 1 high 2 with 9.0 : <m: 4, f32> -> <m: 7, f32>
      %2 = axloom.shift %a "m" by 1 with -1.0 : <m: 4, f32> -> <m: 4, f32>
      %3 = axloom.update %a at %i with %v along "m" : <m: 4, f32>, <i32>, <f32> -> <m: 4, f32>
      return %0, %1, %2, %3 : !axloom.tensor<m: 2, f32>, !axloom.tensor<m: 7, f32>,
        !axloom.tensor<m: 4, f32>, !axloom.tensor<m: 4, f32>
    })",
                     {{1, 2, 3, 4}, {2}, {8}});
  EXPECT_THAT(results[0], ElementsAre(2, 3));
  EXPECT_THAT(results[1], ElementsAre(9, 1, 2, 3, 4, 9, 9));
  EXPECT_THAT(results[2], ElementsAre(-1, 1, 2, 3));
  EXPECT_THAT(results[3], ElementsAre(1, 2, 8, 4));
}

TEST_F(Interpreter, GathersRowsAndAddsThemBack) {
  auto results = run(R"(
    func.func @f(%t: !axloom.tensor<m: 2, v: 3, f32>, %i: !axloom.tensor<p: 3, i32>)
        -> (!axloom.tensor<m: 2, p: 3, f32>, !axloom.tensor<m: 2, v: 3, f32>) {
      %0 = axloom.gather %t, %i along "v" : <m: 2, v: 3, f32>, <p: 3, i32> -> <m: 2, p: 3, f32>
      %1 = axloom.scatter_add %0, %i along "v" to !axloom.tensor<m: 2, v: 3, f32>
        : <m: 2, p: 3, f32>, <p: 3, i32> -> <m: 2, v: 3, f32>
      return %0, %1 : !axloom.tensor<m: 2, p: 3, f32>, !axloom.tensor<m: 2, v: 3, f32>
    })",
                     {{1, 2, 3, 4, 5, 6}, {2, 0, 2}});
  EXPECT_THAT(results[0], ElementsAre(3, 1, 3, 6, 4, 6));
  EXPECT_THAT(results[1], ElementsAre(1, 0, 6, 4, 0, 12));
}

TEST_F(Interpreter, SoftmaxSkipsHiddenElementsAndWholeRows) {
  auto results = run(R"(
    func.func @f(%x: !axloom.tensor<k: 3, q: 2, f32>, %m: !axloom.tensor<k: 3, q: 2, i1>)
        -> !axloom.tensor<k: 3, q: 2, f32> {
      %0 = axloom.softmax %x mask %m over "k" : <k: 3, q: 2, f32>, !axloom.tensor<k: 3, q: 2, i1> -> <k: 3, q: 2, f32>
      return %0 : !axloom.tensor<k: 3, q: 2, f32>
    })",
                     {{0, 5, std::log(3), 6, 7, 8}, {1, 0, 1, 0, 0, 0}});
  EXPECT_THAT(results[0], near({0.25, 0, 0.75, 0, 0, 0}));
}

TEST_F(Interpreter, SoftmaxOfLargeNumbersStaysFinite) {
  auto results = run(R"(
    func.func @f(%x: !axloom.tensor<k: 2, f32>) -> !axloom.tensor<k: 2, f32> {
      %0 = axloom.softmax %x over "k" : <k: 2, f32> -> <k: 2, f32>
      return %0 : !axloom.tensor<k: 2, f32>
    })",
                     {{1000, 1000}});
  EXPECT_THAT(results[0], near({0.5, 0.5}));
}

TEST_F(Interpreter, LayerNormGivesMeanZeroAndVarianceOne) {
  auto results = run(R"(
    func.func @f(%x: !axloom.tensor<m: 4, f32>, %s: !axloom.tensor<m: 4, f32>, %o: !axloom.tensor<m: 4, f32>)
        -> (!axloom.tensor<m: 4, f32>, !axloom.tensor<f32>, !axloom.tensor<f32>) {
      %y, %mean, %rstd = axloom.layer_norm %x scale %s offset %o over "m" epsilon 0.0
        : <m: 4, f32> scale !axloom.tensor<m: 4, f32> offset !axloom.tensor<m: 4, f32> -> <m: 4, f32>, <f32>, <f32>
      return %y, %mean, %rstd : !axloom.tensor<m: 4, f32>, !axloom.tensor<f32>, !axloom.tensor<f32>
    })",
                     {{1, 3, 5, 7}, {1, 1, 2, 1}, {0, 0, 0, 10}});
  double r = 1 / std::sqrt(5.0); // the mean is 4, the variance (9 + 1 + 1 + 9) / 4 = 5
  EXPECT_THAT(results[0], near({-3 * r, -r, 2 * r, 3 * r + 10}));
  EXPECT_THAT(results[1], near({4}));
  EXPECT_THAT(results[2], near({r}));
}

static const char *maskedAttention = R"(
  func.func @f(%q: !axloom.tensor<d: 1, q: 2, f32>, %k: !axloom.tensor<d: 1, k: 2, f32>,
               %v: !axloom.tensor<k: 2, w: 1, f32>, %m: !axloom.tensor<k: 2, q: 2, i1>)
      -> (!axloom.tensor<q: 2, w: 1, f32>, !axloom.tensor<q: 2, f32>) {
    %c, %l = axloom.attention %q, %k, %v mask %m depth "d" key "k" scale 2.0
      : <d: 1, q: 2, f32>, <d: 1, k: 2, f32>, <k: 2, w: 1, f32> mask !axloom.tensor<k: 2, q: 2, i1>
      -> <q: 2, w: 1, f32>, <q: 2, f32>
    return %c, %l : !axloom.tensor<q: 2, w: 1, f32>, !axloom.tensor<q: 2, f32>
  })";

TEST_F(Interpreter, AttentionWeighsVisibleValues) {
  // Scores of query 0: 2 * [0, log(3)/2] = [0, log 3]: weights 1/4 and 3/4, of a sum of 4. Query 1
  // sees key 0 only.
  auto results = run(maskedAttention, {{1, 5}, {0, std::log(3) / 2}, {8, 16}, {1, 1, 1, 0}});
  EXPECT_THAT(results[0], near({0.25 * 8 + 0.75 * 16, 8}));
  EXPECT_THAT(results[1], near({2, 0}));
}

TEST_F(Interpreter, AttentionOfNothingVisibleIsZero) {
  auto results = run(maskedAttention, {{1, 5}, {3, 4}, {8, 16}, {0, 1, 0, 1}});
  EXPECT_THAT(results[0][0], 0);
  EXPECT_THAT(results[1][0], 0);
  EXPECT_GT(results[0][1], 8);
}

TEST_F(Interpreter, CrossEntropySmoothsItsTargets) {
  const char *text = R"(
    func.func @f(%x: !axloom.tensor<c: 4, f32>, %l: !axloom.tensor<i32>)
        -> (!axloom.tensor<f32>, !axloom.tensor<f32>) {
      %0 = axloom.cross_entropy %x, %l over "c" smoothing 0.0 : <c: 4, f32>, <i32> -> <f32>
      %1 = axloom.cross_entropy %x, %l over "c" smoothing 0.2 : <c: 4, f32>, <i32> -> <f32>
      return %0, %1 : !axloom.tensor<f32>, !axloom.tensor<f32>
    })";
  // Probabilities 1/8, 1/8, 1/4, 1/2.
  auto results = run(text, {{0, 0, std::log(2), std::log(4)}, {3}});
  double smoothed = 0.85 * std::log(2) + 0.05 * (std::log(4) + 2 * std::log(8));
  EXPECT_THAT(results[0], near({std::log(2)}));
  EXPECT_THAT(results[1], near({smoothed}));
}

TEST_F(Interpreter, LinearCrossEntropyWeighsTokens) {
  auto results = run(R"(
    func.func @f(%x: !axloom.tensor<m: 1, t: 2, f32>, %w: !axloom.tensor<c: 2, m: 1, f32>,
                 %l: !axloom.tensor<t: 2, i32>, %k: !axloom.tensor<t: 2, f32>)
        -> (!axloom.tensor<f32>, !axloom.tensor<m: 1, t: 2, f32>, !axloom.tensor<c: 2, m: 1, f32>) {
      %0, %1, %2 = axloom.linear_cross_entropy %x, %w, %l, %k model "m" classes "c" smoothing 0.0
        : <m: 1, t: 2, f32>, <c: 2, m: 1, f32>, <t: 2, i32>, <t: 2, f32>
        -> <f32>, <m: 1, t: 2, f32>, <c: 2, m: 1, f32>
      return %0, %1, %2 : !axloom.tensor<f32>, !axloom.tensor<m: 1, t: 2, f32>, !axloom.tensor<c: 2, m: 1, f32>
    })",
                     {{std::log(3), 7}, {0, 1}, {0, 1}, {2, 0}});
  // Token 0 has probabilities 1/4, 3/4, label 0 and weight 2; token 1 has weight 0.
  EXPECT_THAT(results[0], near({2 * std::log(4)}));
  EXPECT_THAT(results[1], near({2 * 0.75, 0}));
  EXPECT_THAT(results[2], near({-2 * 0.75 * std::log(3), 2 * 0.75 * std::log(3)}));
}

TEST_F(Interpreter, RaggedPositionsBeyondTheLengthDoNotExist) {
  auto results =
      run(R"(
    func.func @f(%x: !axloom.tensor<b: B, p: S[b], f32>)
        -> (!axloom.tensor<b: B, f32>, !axloom.tensor<b: B, f32>, !axloom.tensor<b: B, i32>,
            !axloom.tensor<b: B, p: S[b], f32>, !axloom.tensor<b: B, p: S[b], f32>) {
      %0 = axloom.reduce "max" %x over ["p"] : <b: B, p: S[b], f32> -> <b: B, f32>
      %1 = axloom.reduce "min" %x over ["p"] : <b: B, p: S[b], f32> -> <b: B, f32>
      %2 = axloom.argmax %x over "p" : <b: B, p: S[b], f32> -> <b: B, i32>
      %3 = axloom.softmax %x over "p" : <b: B, p: S[b], f32> -> <b: B, p: S[b], f32>
      %4 = axloom.shift %x "p" by -1 with 7.0 : <b: B, p: S[b], f32> -> <b: B, p: S[b], f32>
      return %0, %1, %2, %3, %4 : !axloom.tensor<b: B, f32>, !axloom.tensor<b: B, f32>, !axloom.tensor<b: B, i32>,
        !axloom.tensor<b: B, p: S[b], f32>, !axloom.tensor<b: B, p: S[b], f32>
    })",
          {{-5, 99, 99, -5, -5, 99, 99, 99, 99}}, {{{"B", 3}, {"S", 3}}, {{"S", {1, 2, 0}}}});
  constexpr double largest = std::numeric_limits<float>::max();
  EXPECT_THAT(results[0], ElementsAre(-5, -5, -largest));
  EXPECT_THAT(results[1], ElementsAre(-5, -5, largest));
  EXPECT_THAT(results[2], ElementsAre(0, 0, 0));
  EXPECT_THAT(results[3], near({1, 0, 0, 0.5, 0.5, 0, 0, 0, 0}));
  EXPECT_THAT(results[4], ElementsAre(7, 0, 0, -5, 7, 0, 0, 0, 0));
}

static const char *productOfLengths = R"(
    func.func @f() -> !axloom.tensor<b: B, f32> {
      %0 = axloom.size_of <2*S*T[b]> entries <B> : <b: B, f32>
      return %0 : !axloom.tensor<b: B, f32>
    })";

TEST_F(Interpreter, LengthsAlongSeveralAxesAreMultiplied) {
  auto results =
      run(productOfLengths, {}, {{{"B", 2}, {"S", 3}, {"T", 5}}, {{"S", {1, 3}}, {"T", {5, 4}}}});
  EXPECT_THAT(results[0], ElementsAre(10, 24));
}

TEST_F(Interpreter, ReadsSeeOldValuesOfVariables) {
  const char *text = R"(
    axloom.variable "state" @count : !axloom.tensor<f32> order [] init {kind = "zeros"}
    func.func @f(%x: !axloom.tensor<f32>) -> !axloom.tensor<f32> {
      axloom.write @count, %x : <f32>
      %0 = axloom.read @count : <f32>
      return %0 : !axloom.tensor<f32>
    })";
  variables["count"] = Array(3.0);
  EXPECT_THAT(run(text, {{5}})[0], ElementsAre(3));
  EXPECT_THAT(run(text, {{6}})[0], ElementsAre(5));
}

//===----------------------------------------------------------------------===//
// Errors name the op's line
//===----------------------------------------------------------------------===//

TEST_F(Interpreter, RefusesALabelOutsideTheClasses) {
  run(R"(
    func.func @f(%x: !axloom.tensor<c: 4, f32>, %l: !axloom.tensor<i32>) -> !axloom.tensor<f32> {
      %0 = axloom.cross_entropy %x, %l over "c" smoothing 0.0 : <c: 4, f32>, <i32> -> <f32>
      return %0 : !axloom.tensor<f32>
    })",
      {{0, 0, 0, 0}, {4}});
  EXPECT_EQ(graphs.takeErrors(), "3:12: label 4 is outside the classes of axis 'c' of size 4\n");
}

TEST_F(Interpreter, RefusesAnIndexOutsideTheTable) {
  run(R"(
    func.func @f(%t: !axloom.tensor<v: 3, f32>, %i: !axloom.tensor<i32>) -> !axloom.tensor<f32> {
      %0 = axloom.gather %t, %i along "v" : <v: 3, f32>, <i32> -> <f32>
      return %0 : !axloom.tensor<f32>
    })",
      {{1, 2, 3}, {-1}});
  EXPECT_EQ(graphs.takeErrors(), "3:12: index -1 is outside axis 'v' of size 3\n");
}

TEST_F(Interpreter, RefusesAnIndexBehindTheEndOfItsEntry) {
  Sizes sizes;
  sizes.symbols = {{"B", 2}, {"S", 3}};
  sizes.lengths = {{"S", {2, 3}}};
  run(R"(
    axloom.size @B max 2
    axloom.size @S max 3
    func.func @f(%t: !axloom.tensor<b: B, v: S[b], f32>, %i: !axloom.tensor<b: B, i32>) -> !axloom.tensor<b: B, f32> {
      %0 = axloom.gather %t, %i along "v" : <b: B, v: S[b], f32>, <b: B, i32> -> <b: B, f32>
      return %0 : !axloom.tensor<b: B, f32>
    })",
      {{1, 2, 0, 3, 4, 5}, {2, 2}}, sizes);
  EXPECT_EQ(graphs.takeErrors(),
            "5:12: index 2 is outside axis 'v' of size 3 at most, which ends earlier there\n");
}

TEST_F(Interpreter, RefusesASizeSymbolWithoutAValue) {
  module = graphs.parse(R"(
    func.func @f(%x: !axloom.tensor<b: B, f32>) -> !axloom.tensor<b: B, f32> {
      return %x : !axloom.tensor<b: B, f32>
    })");
  EXPECT_TRUE(failed(interpret(functionOf(*module, "f"), {{}, {Array(1.0)}, {}})));
  EXPECT_EQ(graphs.takeErrors(), "2:5: size symbol 'B' has no value\n");
}

TEST_F(Interpreter, RefusesAnotherNumberOfArguments) {
  run(R"(
    func.func @f(%x: !axloom.tensor<f32>, %y: !axloom.tensor<f32>) -> !axloom.tensor<f32> {
      return %x : !axloom.tensor<f32>
    })",
      {{1}});
  EXPECT_EQ(graphs.takeErrors(), "2:5: takes 2 arguments, found 1\n");
}

TEST_F(Interpreter, RefusesAFunctionWithoutABody) {
  run(R"(
    func.func private @f())",
      {});
  EXPECT_EQ(graphs.takeErrors(), "2:5: has no body to interpret\n");
}

TEST_F(Interpreter, RefusesAnOpenSize) {
  run(R"(
    func.func @f(%x: !axloom.tensor<m: 4, f32>) -> !axloom.tensor<m: ?, f32> {
      %0 = axloom.slice %x "m" from 1 size 2 : <m: 4, f32> -> <m: ?, f32>
      return %0 : !axloom.tensor<m: ?, f32>
    })",
      {{1, 2, 3, 4}});
  EXPECT_EQ(graphs.takeErrors(), "3:12: axis 'm' has an open size; infer it first\n");
}

TEST_F(Interpreter, RefusesAGradientThatIsStillToBeDifferentiated) {
  run(R"(
    func.func @f(%x: !axloom.tensor<f32>) -> !axloom.tensor<f32> {
      %0 = axloom.gradient %x wrt(%x) : <f32>, !axloom.tensor<f32> -> !axloom.tensor<f32>
      return %0 : !axloom.tensor<f32>
    })",
      {{1}});
  EXPECT_EQ(graphs.takeErrors(), "3:12: has to be differentiated before it can be interpreted\n");
}

TEST_F(Interpreter, RefusesAnArgumentOfTheWrongExtent) {
  module = graphs.parse(R"(
    func.func @f(%x: !axloom.tensor<b: 3, f32>) -> !axloom.tensor<b: 3, f32> {
      return %x : !axloom.tensor<b: 3, f32>
    })");
  Array two(graphs.type("b: 2, f32").getAxes(), {});
  EXPECT_TRUE(failed(interpret(functionOf(*module, "f"), {{}, {two}, {}})));
  EXPECT_EQ(graphs.takeErrors(), "2:5: argument 0 has extents [2], expected [3] for "
                                 "'!axloom.tensor<b: 3, f32>'\n");
}

TEST_F(Interpreter, RefusesALengthBeyondThePaddedSize) {
  module = graphs.parse(R"(
    func.func @f(%x: !axloom.tensor<b: 2, p: S[b], f32>) -> !axloom.tensor<b: 2, p: S[b], f32> {
      return %x : !axloom.tensor<b: 2, p: S[b], f32>
    })");
  Sizes sizes{{{"S", 4}}, {{"S", {1, 5}}}};
  EXPECT_TRUE(failed(interpret(functionOf(*module, "f"), {sizes, {Array(1.0)}, {}})));
  EXPECT_EQ(graphs.takeErrors(), "2:5: length 5 of ragged axis 'p' is not between 0 and 4\n");
}

TEST_F(Interpreter, RefusesLengthsThatAreMissingOrOfOtherEntries) {
  Sizes sizes{{{"B", 2}, {"S", 3}, {"T", 5}}, {{"S", {1, 3}}}};
  run(productOfLengths, {}, sizes);
  EXPECT_EQ(graphs.takeErrors(), "3:12: ragged size 2*S*T[b] has no lengths for 'T'\n");
  sizes.lengths["T"] = {1, 2, 3, 4, 5};
  run(productOfLengths, {}, sizes);
  EXPECT_EQ(graphs.takeErrors(), "3:12: ragged size 2*S*T[b] has 5 lengths, expected 2\n");
}
