// The multiply-adds of ops with products.

#include "ir/Work.h"
#include "tests/support/Graphs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <gmock/gmock.h>

using namespace axloom::ir;
using namespace axloom::test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Those of all ops of a function with these arguments, as users read sizes.
static std::vector<std::string> workOf(const std::string &arguments, std::string ops) {
  Graphs graphs;
  for (size_t at; (at = ops.find("T<")) != std::string::npos;)
    ops.replace(at, 2, "!axloom.tensor<");
  std::string signature = arguments;
  for (size_t at; (at = signature.find("T<")) != std::string::npos;)
    signature.replace(at, 2, "!axloom.tensor<");
  auto module = graphs.parse("axloom.size @B max 8\naxloom.size @S max 8\naxloom.size @T max 8\n"
                             "func.func @f(" +
                             signature + ") {\n" + ops + "\nreturn\n}");
  EXPECT_TRUE(module) << graphs.takeErrors();
  std::vector<std::string> sizes;
  if (module)
    module->walk([&](mlir::Operation *op) {
      for (SizeAttr size : multiplyAdds(op))
        sizes.push_back(size.str());
    });
  return sizes;
}

TEST(Work, AContractionMultipliesAtEachPointOfBothOperands) {
  EXPECT_THAT(workOf("%x: T<b: B, m: 4, s: S, f32>, %w: T<m: 4, n: 6, f32>",
                     "%y = axloom.contract %x, %w over [\"m\"] : T<b: B, m: 4, s: S, f32>, "
                     "T<m: 4, n: 6, f32> -> T<b: B, n: 6, s: S, f32>"),
              ElementsAre("24*B*S"));
}

TEST(Work, AttentionHasTwoProductsAndItsGradientFive) {
  const std::string types =
      "T<b: B, d: 4, q: S, f32>, T<b: B, d: 4, k: T, f32>, T<b: B, k: T, v: 3, f32>";
  const std::string arguments = "%q: T<b: B, d: 4, q: S, f32>, %k: T<b: B, d: 4, k: T, f32>, "
                                "%v: T<b: B, k: T, v: 3, f32>, %g: T<b: B, q: S, v: 3, f32>";
  const std::string forward =
      "%o, %l = axloom.attention %q, %k, %v depth \"d\" key \"k\" scale 0.5 : " + types +
      " -> T<b: B, q: S, v: 3, f32>, T<b: B, q: S, f32>";
  EXPECT_THAT(workOf(arguments, forward), ElementsAre("4*B*S*T", "3*B*S*T"));
  EXPECT_THAT(
      workOf(arguments, forward +
                            "\n%dq, %dk, %dv = axloom.attention_gradient %q, %k, %v output %o "
                            "log2sumexp %l gradient %g depth \"d\" key \"k\" scale 0.5 : " +
                            types +
                            ", T<b: B, q: S, v: 3, f32>, T<b: B, q: S, f32>, T<b: B, q: S, v: 3, "
                            "f32> -> " +
                            types),
      ElementsAre("4*B*S*T", "3*B*S*T", "4*B*S*T", "4*B*S*T", "4*B*S*T", "3*B*S*T", "3*B*S*T"));
}

TEST(Work, ALossOfAProjectionHasItsGradientsOnlyIfTheyAreUsed) {
  const std::string arguments = "%x: T<b: B, m: 4, f32>, %w: T<c: 9, m: 4, f32>, %labels: T<b: B, "
                                "i32>, %weights: T<b: B, f32>";
  const std::string loss =
      "%loss, %dx, %dw = axloom.linear_cross_entropy %x, %w, %labels, %weights model \"m\" classes "
      "\"c\" smoothing 0.0 : T<b: B, m: 4, f32>, T<c: 9, m: 4, f32>, T<b: B, i32>, T<b: B, f32> -> "
      "T<f32>, T<b: B, m: 4, f32>, T<c: 9, m: 4, f32>";
  EXPECT_THAT(workOf(arguments, loss), ElementsAre("36*B"));
  EXPECT_THAT(workOf(arguments, loss + "\n%n = axloom.neg %dw : T<c: 9, m: 4, f32> -> T<c: 9, m: "
                                       "4, f32>"),
              ElementsAre("36*B", "36*B"));
}

TEST(Work, RaggedAxesHaveTheTokensThatThereAre) {
  EXPECT_THAT(workOf("%x: T<b: B, m: 4, s: S[b], f32>, %w: T<m: 4, n: 6, f32>",
                     "%y = axloom.contract %x, %w over [\"m\"] : T<b: B, m: 4, s: S[b], f32>, "
                     "T<m: 4, n: 6, f32> -> T<b: B, n: 6, s: S[b], f32>"),
              ElementsAre("24*total.S"));
}

TEST(Work, WhatHasNoProductsHasNone) {
  EXPECT_THAT(workOf("%x: T<b: B, f32>", "%y = axloom.exp %x : T<b: B, f32> -> T<b: B, f32>"),
              IsEmpty());
}
