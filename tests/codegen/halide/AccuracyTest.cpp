// Results that would have few right bits left if terms met in another order.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom::test;

namespace {
std::vector<KernelCase> cases() {
  std::vector<KernelCase> all;
  // Millions of equal numbers: a sum that is large already takes little of the next one. Along one
  // axis, and along two that stay two, since the other tensor lies the other way round.
  all.push_back(kernelCase("sum_of_row", {"n: 3000001, f32"}, R"(
    %c = axloom.constant 1.1 : f32 : T<f32>
    %z = axloom.maximum %x0, %c : T<n: 3000001, f32>, T<f32> -> T<n: 3000001, f32>
    %y = axloom.reduce "sum" %z over ["n"] : T<n: 3000001, f32> -> T<f32>)",
                           {"f32"}, {}));
  all.push_back(kernelCase("sum_of_rows", {"m: M, n: N, f32", "m: M, n: N, f32"}, R"(
    %c = axloom.constant 1.1 : f32 : T<f32>
    %w = axloom.maximum %x0, %x1 : T<m: M, n: N, f32>, T<m: M, n: N, f32> -> T<m: M, n: N, f32>
    %z = axloom.maximum %w, %c : T<m: M, n: N, f32>, T<f32> -> T<m: M, n: N, f32>
    %y = axloom.reduce "sum" %z over ["m", "n"] : T<m: M, n: N, f32> -> T<f32>)",
                           {"f32"}, {"M", "N"},
                           "input_layouts = [#axloom.layout<[m, n]>, #axloom.layout<[n, m]>], "
                           "result_layouts = [#axloom.layout<[]>]"));
  all.back().sizes = {
      {{"M", 20001}, {"N", 150}}, {{"M", 3}, {"N", 150}}, {{"M", 7}, {"N", 300001}}};
  // The loss of a sure guess, far below its logits of 1000 and 990.
  all.push_back(kernelCase("small_loss", {"b: B, i32"}, R"(
    %i = axloom.iota "c" size <2> : T<c: 2, i32>
    %zero = axloom.constant 0 : i32 : T<i32>
    %first = axloom.compare "eq" %i, %zero : T<c: 2, i32>, T<i32> -> T<c: 2, i1>
    %high = axloom.constant 1.0e3 : f32 : T<f32>
    %low = axloom.constant 9.9e2 : f32 : T<f32>
    %row = axloom.select %first, %high, %low : T<c: 2, i1>, T<f32>, T<f32> -> T<c: 2, f32>
    %logits = axloom.broadcast %row to T<b: B, c: 2, f32> : T<c: 2, f32> -> T<b: B, c: 2, f32>
    %y = axloom.cross_entropy %logits, %x0 over "c" smoothing 0.0 : T<b: B, c: 2, f32>, T<b: B, i32> -> T<b: B, f32>)",
                           {"b: B, f32"}, {"B"}));
  all.back().limit = 1;        // the first class
  all.back().tolerance = 2e-7; // a step of f32 at 1, where the logarithm is taken
  return all;
}

KernelCheck &checks() {
  static KernelCheck all(cases());
  return all;
}

class Accuracy : public testing::TestWithParam<size_t> {};
TEST_P(Accuracy, MatchesTheInterpreter) { checks().check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, Accuracy, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });
} // namespace
