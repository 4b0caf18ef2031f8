// Contractions with what comes before and behind them, in the shapes that layers give, against the
// interpreter.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom::test;

namespace {
const std::string tokens = "#axloom.layout<[b, p, m]>";

std::vector<KernelCase> cases() {
  std::vector<KernelCase> all;
  auto add = [&](KernelCase entry) -> KernelCase & { return all.emplace_back(std::move(entry)); };
  // y[b, p, n] = relu(x w + bias), w as it is stored in checkpoints: [n, m]
  add(kernelCase("bias_relu", {"b: B, m: 48, p: S, f32", "m: 48, n: 80, f32", "n: 80, f32"},
                 R"(
    %z = axloom.contract %x0, %x1 over ["m"] : T<b: B, m: 48, p: S, f32>, T<m: 48, n: 80, f32> -> T<b: B, n: 80, p: S, f32>
    %s = axloom.add %z, %x2 : T<b: B, n: 80, p: S, f32>, T<n: 80, f32> -> T<b: B, n: 80, p: S, f32>
    %c = axloom.constant 0.0 : f32 : T<f32>
    %y = axloom.maximum %s, %c : T<b: B, n: 80, p: S, f32>, T<f32> -> T<b: B, n: 80, p: S, f32>)",
                 {"b: B, n: 80, p: S, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[n, m]>, #axloom.layout<[n]>], "
                     "result_layouts = [#axloom.layout<[b, p, n]>]"));
  // Two results: what is kept for the backward pass, and its ReLU.
  add(kernelCase("two_results", {"b: B, m: 48, p: S, f32", "m: 48, n: 33, f32", "n: 33, f32"},
                 R"(
    %z = axloom.contract %x0, %x1 over ["m"] : T<b: B, m: 48, p: S, f32>, T<m: 48, n: 33, f32> -> T<b: B, n: 33, p: S, f32>
    %r0 = axloom.add %z, %x2 : T<b: B, n: 33, p: S, f32>, T<n: 33, f32> -> T<b: B, n: 33, p: S, f32>
    %r1 = axloom.exp %r0 : T<b: B, n: 33, p: S, f32> -> T<b: B, n: 33, p: S, f32>)",
                 {"b: B, n: 33, p: S, f32", "b: B, n: 33, p: S, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[m, n]>, #axloom.layout<[n]>], "
                     "result_layouts = [#axloom.layout<[b, p, n]>, #axloom.layout<[b, p, n]>]"));
  // Projection to heads.
  add(kernelCase("heads", {"b: B, m: 48, p: S, f32", "m: 48, n: 64, f32"},
                 R"(
    %z = axloom.contract %x0, %x1 over ["m"] : T<b: B, m: 48, p: S, f32>, T<m: 48, n: 64, f32> -> T<b: B, n: 64, p: S, f32>
    %y = axloom.split %z "n" into ["h", "d"] inner <16> : T<b: B, n: 64, p: S, f32> -> T<b: B, d: 16, h: 4, p: S, f32>)",
                 {"b: B, d: 16, h: 4, p: S, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[m, n]>], "
                     "result_layouts = [#axloom.layout<[b, p, h, d]>]"));
  // The gradient of a weight sums over tokens; the gradient of its input reads it the other way
  // round.
  auto weightGradient = [&](const char *name, const std::string &n, const std::string &order) {
    std::string result = "m: 48, " + n + ", f32", right = "b: B, " + n + ", p: S, f32";
    add(kernelCase(name, {"b: B, m: 48, p: S, f32", right},
                   R"(
    %y = axloom.contract %x0, %x1 over ["b", "p"] : T<b: B, m: 48, p: S, f32>, T<)" +
                       right + "> -> T<" + result + ">",
                   {result}, {"B", "S"},
                   "input_layouts = [" + tokens +
                       ", #axloom.layout<[b, p, n]>], result_layouts = [#axloom.layout<[" + order +
                       "]>]"))
        .tolerance = 2e-4;
    // Several stretches of tokens for which both operands are packed, the last one shorter.
    all.back().sizes.push_back({{"B", 3}, {"S", 199}});
  };
  weightGradient("weight_gradient", "n: 80", "n, m");
  // Columns that no block of whole panels divides, in blocks for the cache and in ones that threads
  // share evenly: with AVX-512, panels of 48 and of 32 columns.
  for (std::string n : {"612", "924"})
    add(kernelCase("uneven_columns_" + n, {"b: B, m: 48, p: S, f32", "m: 48, n: " + n + ", f32"},
                   "    %y = axloom.contract %x0, %x1 over [\"m\"] : T<b: B, m: 48, p: S, f32>, "
                   "T<m: 48, n: " +
                       n + ", f32> -> T<b: B, n: " + n + ", p: S, f32>",
                   {"b: B, n: " + n + ", p: S, f32"}, {"B", "S"},
                   "input_layouts = [" + tokens +
                       ", #axloom.layout<[n, m]>], result_layouts = [#axloom.layout<[b, p, n]>]"));
  weightGradient("uneven_gradient", "n: 612", "m, n");
  // One operand is computed while it is packed, and something comes behind the sum.
  add(kernelCase("masked_weight_gradient",
                 {"b: B, m: 48, p: S, f32", "b: B, n: 80, p: S, f32", "b: B, n: 80, p: S, f32"},
                 R"(
    %c = axloom.constant 0.0 : f32 : T<f32>
    %h = axloom.constant 0.5 : f32 : T<f32>
    %g = axloom.compare "gt" %x2, %c : T<b: B, n: 80, p: S, f32>, T<f32> -> T<b: B, n: 80, p: S, i1>
    %z = axloom.select %g, %x1, %c : T<b: B, n: 80, p: S, i1>, T<b: B, n: 80, p: S, f32>, T<f32> -> T<b: B, n: 80, p: S, f32>
    %s = axloom.contract %x0, %z over ["b", "p"] : T<b: B, m: 48, p: S, f32>, T<b: B, n: 80, p: S, f32> -> T<m: 48, n: 80, f32>
    %y = axloom.mul %s, %h : T<m: 48, n: 80, f32>, T<f32> -> T<m: 48, n: 80, f32>)",
                 {"m: 48, n: 80, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[b, p, n]>, #axloom.layout<[b, p, n]>], result_layouts = "
                     "[#axloom.layout<[m, n]>]"))
      .tolerance = 2e-4;
  all.back().sizes.push_back({{"B", 3}, {"S", 199}});
  add(kernelCase("masked_gradient",
                 {"b: B, n: 80, p: S, f32", "b: B, n: 80, p: S, f32", "m: 48, n: 80, f32"},
                 R"(
    %c = axloom.constant 0.0 : f32 : T<f32>
    %g = axloom.compare "gt" %x1, %c : T<b: B, n: 80, p: S, f32>, T<f32> -> T<b: B, n: 80, p: S, i1>
    %z = axloom.select %g, %x0, %c : T<b: B, n: 80, p: S, i1>, T<b: B, n: 80, p: S, f32>, T<f32> -> T<b: B, n: 80, p: S, f32>
    %y = axloom.contract %z, %x2 over ["n"] : T<b: B, n: 80, p: S, f32>, T<m: 48, n: 80, f32> -> T<b: B, m: 48, p: S, f32>)",
                 {"b: B, m: 48, p: S, f32"}, {"B", "S"},
                 "input_layouts = [#axloom.layout<[b, p, n]>, #axloom.layout<[b, p, n]>, "
                 "#axloom.layout<[m, n]>], "
                 "result_layouts = [" +
                     tokens + "]"));
  // Dropout, residual and LayerNorm behind the product.
  add(kernelCase(
      "layer_norm",
      {"b: B, k: 24, p: S, f32", "k: 24, m: 48, f32", "b: B, m: 48, p: S, f32", "i32", "m: 48, f32",
       "m: 48, f32"},
      R"(
    %z = axloom.contract %x0, %x1 over ["k"] : T<b: B, k: 24, p: S, f32>, T<k: 24, m: 48, f32> -> T<b: B, m: 48, p: S, f32>
    %u = axloom.random %x3, %x3, %x3 : T<i32>, T<i32>, T<i32> -> T<b: B, m: 48, p: S, f32> T<b: B, m: 48, p: S, f32>
    %d = axloom.mul %z, %u : T<b: B, m: 48, p: S, f32>, T<b: B, m: 48, p: S, f32> -> T<b: B, m: 48, p: S, f32>
    %r = axloom.add %d, %x2 : T<b: B, m: 48, p: S, f32>, T<b: B, m: 48, p: S, f32> -> T<b: B, m: 48, p: S, f32>
    %y:3 = axloom.layer_norm %r scale %x4 offset %x5 over "m" epsilon 1.0e-5 : T<b: B, m: 48, p: S, f32> scale T<m: 48, f32> offset T<m: 48, f32> -> T<b: B, m: 48, p: S, f32>, T<b: B, p: S, f32>, T<b: B, p: S, f32>)",
      {"b: B, m: 48, p: S, f32", "b: B, p: S, f32", "b: B, p: S, f32"}, {"B", "S"},
      "by_value = array<i64: 3>, input_layouts = [#axloom.layout<[b, p, k]>, #axloom.layout<[k, "
      "m]>, " +
          tokens +
          ", #axloom.layout<[]>, #axloom.layout<[m]>, #axloom.layout<[m]>], result_layouts = [" +
          tokens + ", #axloom.layout<[b, p]>, #axloom.layout<[b, p]>]"));
  all.back().sizes.push_back({{"B", 3}, {"S", 65}}); // several blocks of rows
  // What is compared for equality is computed once, so that tiles end there.
  const std::string compared = R"(
    %z = axloom.contract %x0, %x1 over ["k"] : T<b: B, k: 24, p: S, f32>, T<k: 24, m: 48, f32> -> T<b: B, m: 48, p: S, f32>
    %s = axloom.add %z, %x2 : T<b: B, m: 48, p: S, f32>, T<m: 48, f32> -> T<b: B, m: 48, p: S, f32>
    %c = axloom.constant 0.0 : f32 : T<f32>
    %d = axloom.constant 0.5 : f32 : T<f32>
    %a = axloom.maximum %s, %c : T<b: B, m: 48, p: S, f32>, T<f32> -> T<b: B, m: 48, p: S, f32>
    %e = axloom.compare "eq" %a, %s : T<b: B, m: 48, p: S, f32>, T<b: B, m: 48, p: S, f32> -> T<b: B, m: 48, p: S, i1>
    %RESULT = axloom.select %e, %s, %d : T<b: B, m: 48, p: S, i1>, T<b: B, m: 48, p: S, f32>, T<f32> -> T<b: B, m: 48, p: S, f32>)";
  const std::string comparedLayouts = "input_layouts = [#axloom.layout<[b, p, k]>, "
                                      "#axloom.layout<[k, m]>, #axloom.layout<[m]>], "
                                      "result_layouts = [" +
                                      tokens + "]";
  for (bool isNormalized : {false, true})
    add(kernelCase(isNormalized ? "compared_layer_norm" : "compared",
                   {"b: B, k: 24, p: S, f32", "k: 24, m: 48, f32", "m: 48, f32"},
                   replaced(compared, "%RESULT", isNormalized ? "%r" : "%y") + (isNormalized ? R"(
    %y, %mean, %rstd = axloom.layer_norm %r scale %x2 over "m" epsilon 1.0e-5 : T<b: B, m: 48, p: S, f32> scale T<m: 48, f32> -> T<b: B, m: 48, p: S, f32>, T<b: B, p: S, f32>, T<b: B, p: S, f32>)"
                                                                                             : ""),
                   {"b: B, m: 48, p: S, f32"}, {"B", "S"}, comparedLayouts));
  // A gradient's columns split to heads, which lie outside its rows.
  add(kernelCase("split_gradient", {"b: B, m: 48, p: S, f32", "b: B, n: 80, p: S, f32"},
                 R"(
    %s = axloom.contract %x0, %x1 over ["b", "p"] : T<b: B, m: 48, p: S, f32>, T<b: B, n: 80, p: S, f32> -> T<m: 48, n: 80, f32>
    %y = axloom.split %s "n" into ["h", "d"] inner <16> : T<m: 48, n: 80, f32> -> T<d: 16, h: 5, m: 48, f32>)",
                 {"d: 16, h: 5, m: 48, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[b, p, n]>], result_layouts = [#axloom.layout<[h, m, d]>]"))
      .tolerance = 2e-4;
  // Sums of a known length, of which parts take equal shares or not.
  for (std::string length : {"336", "333"}) {
    const std::string x = "m: 48, t: " + length + ", f32", dy = "n: 80, t: " + length + ", f32";
    add(kernelCase("gradient_of_" + length, {x, dy},
                   "    %z = axloom.add %x1, %x1 : T<" + dy + ">, T<" + dy + "> -> T<" + dy +
                       ">\n    %y = axloom.contract %x0, %z over [\"t\"] : T<" + x + ">, T<" + dy +
                       "> -> T<m: 48, n: 80, f32>",
                   {"m: 48, n: 80, f32"}, {},
                   "input_layouts = [#axloom.layout<[t, m]>, #axloom.layout<[n, t]>], "
                   "result_layouts = [#axloom.layout<[m, n]>]"))
        .tolerance = 2e-4;
  }
  // What follows reads the product at another place than its own, too: mirrored, by columns half of
  // a row away.
  const std::string square = "c: 80, r: 80, f32", mirrored = "r: 80, t: 80, f32";
  add(kernelCase("mirrored", {"m: 48, r: 80, f32", "c: 80, m: 48, f32"},
                 R"(
    %z = axloom.contract %x0, %x1 over ["m"] : T<m: 48, r: 80, f32>, T<c: 80, m: 48, f32> -> T<)" +
                     square + R"(>
    %1 = axloom.rename %z "c" to "t" : T<)" +
                     square + "> -> T<" + mirrored + R"(>
    %2 = axloom.rename %1 "r" to "c" : T<)" +
                     mirrored + R"(> -> T<c: 80, t: 80, f32>
    %3 = axloom.rename %2 "t" to "r" : T<c: 80, t: 80, f32> -> T<)" +
                     square + R"(>
    %y = axloom.add %z, %3 : T<)" +
                     square + ">, T<" + square + "> -> T<" + square + ">",
                 {square}, {},
                 "input_layouts = [#axloom.layout<[r, m]>, #axloom.layout<[m, c]>], "
                 "result_layouts = [#axloom.layout<[r, c]>]"));
  const std::string row = "b: B, n: 160, p: S, f32", half = "b: B, n: 80, p: S, f32";
  add(kernelCase("swapped_halves", {"b: B, m: 48, p: S, f32", "m: 48, n: 160, f32"},
                 R"(
    %z = axloom.contract %x0, %x1 over ["m"] : T<b: B, m: 48, p: S, f32>, T<m: 48, n: 160, f32> -> T<)" +
                     row + R"(>
    %l = axloom.slice %z "n" from 0 size 80 : T<)" +
                     row + "> -> T<" + half + R"(>
    %r = axloom.slice %z "n" from 80 size 80 : T<)" +
                     row + "> -> T<" + half + R"(>
    %s = axloom.concat %r, %l along "n" : T<)" +
                     half + ">, T<" + half + "> -> T<" + row + R"(>
    %y = axloom.add %z, %s : T<)" +
                     row + ">, T<" + row + "> -> T<" + row + ">",
                 {row}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[m, n]>], result_layouts = [#axloom.layout<[b, p, n]>]"));
  // Weights side by side: several projections at once, each weight packed from where it lies.
  add(kernelCase("concatenated",
                 {"b: B, m: 48, p: S, f32", "f: 20, h: 2, m: 48, f32", "f: 13, h: 2, m: 48, f32"},
                 R"(
    %w = axloom.concat %x1, %x2 along "f" : T<f: 20, h: 2, m: 48, f32>, T<f: 13, h: 2, m: 48, f32> -> T<f: 33, h: 2, m: 48, f32>
    %y = axloom.contract %x0, %w over ["m"] : T<b: B, m: 48, p: S, f32>, T<f: 33, h: 2, m: 48, f32> -> T<b: B, f: 33, h: 2, p: S, f32>)",
                 {"b: B, f: 33, h: 2, p: S, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[h, f, m]>, #axloom.layout<[h, f, m]>], "
                     "result_layouts = [#axloom.layout<[b, p, h, f]>]"));
  // Scores of attention: batch and heads are loops around the product.
  add(kernelCase("scores", {"b: B, d: 16, h: 3, q: S, f32", "b: B, d: 16, h: 3, k: T, f32"},
                 R"(
    %y = axloom.contract %x0, %x1 over ["d"] : T<b: B, d: 16, h: 3, q: S, f32>, T<b: B, d: 16, h: 3, k: T, f32> -> T<b: B, h: 3, k: T, q: S, f32>)",
                 {"b: B, h: 3, k: T, q: S, f32"}, {"B", "S", "T"},
                 "input_layouts = [#axloom.layout<[b, q, h, d]>, #axloom.layout<[b, k, h, d]>], "
                 "result_layouts = [#axloom.layout<[b, h, q, k]>]"));
  // Expanded into three contractions.
  add(kernelCase(
          "linear_cross_entropy",
          {"b: B, m: 20, p: S, f32", "c: 33, m: 20, f32", "b: B, p: S, i32", "b: B, p: S, f32"},
          R"(
    %y:3 = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model "m" classes "c" smoothing 0.1 : T<b: B, m: 20, p: S, f32>, T<c: 33, m: 20, f32>, T<b: B, p: S, i32>, T<b: B, p: S, f32> -> T<f32>, T<b: B, m: 20, p: S, f32>, T<c: 33, m: 20, f32>)",
          {"f32", "b: B, m: 20, p: S, f32", "c: 33, m: 20, f32"}, {"B", "S"},
          "input_layouts = [" + tokens +
              ", #axloom.layout<[c, m]>, #axloom.layout<[b, p]>, #axloom.layout<[b, p]>], "
              "result_layouts = [#axloom.layout<[]>, " +
              tokens + ", #axloom.layout<[c, m]>]"))
      .tolerance = 1e-4;
  all.back().sizes.push_back({{"B", 33}, {"S", 65}}); // several chunks of rows
  all.push_back(all.back());
  all.back().name += "_plain";
  all.back().text = replaced(all.back().text, "smoothing 0.1", "smoothing 0.0");
  add(kernelCase(
          "loss_alone",
          {"b: B, m: 20, p: S, f32", "c: 33, m: 20, f32", "b: B, p: S, i32", "b: B, p: S, f32"},
          R"(
    %y, %dx, %dw = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model "m" classes "c" smoothing 0.1 : T<b: B, m: 20, p: S, f32>, T<c: 33, m: 20, f32>, T<b: B, p: S, i32>, T<b: B, p: S, f32> -> T<f32>, T<b: B, m: 20, p: S, f32>, T<c: 33, m: 20, f32>)",
          {"f32"}, {"B", "S"},
          "input_layouts = [" + tokens +
              ", #axloom.layout<[c, m]>, #axloom.layout<[b, p]>, #axloom.layout<[b, p]>], "
              "result_layouts = [#axloom.layout<[]>]"))
      .tolerance = 1e-4;
  all.back().sizes.push_back({{"B", 33}, {"S", 65}}); // several chunks of rows
  // Long sums, in stretches: one that stretches divide, behind an op, and one that they do not. Few
  // columns and sizes, or the interpreter takes minutes.
  const decltype(KernelCase::sizes) few = {{{"B", 1}, {"S", 101}}, {{"B", 2}, {"S", 1}}};
  add(kernelCase("long_sum", {"b: B, k: 8704, p: S, f32", "k: 8704, m: 3, f32"},
                 R"(
    %c = axloom.constant 0.0 : f32 : T<f32>
    %r = axloom.maximum %x0, %c : T<b: B, k: 8704, p: S, f32>, T<f32> -> T<b: B, k: 8704, p: S, f32>
    %y = axloom.contract %r, %x1 over ["k"] : T<b: B, k: 8704, p: S, f32>, T<k: 8704, m: 3, f32> -> T<b: B, m: 3, p: S, f32>)",
                 {"b: B, m: 3, p: S, f32"}, {"B", "S"},
                 "input_layouts = [#axloom.layout<[b, p, k]>, #axloom.layout<[k, m]>], "
                 "result_layouts = [" +
                     tokens + "]"))
      .tolerance = 1e-4;
  all.back().sizes = few;
  add(kernelCase("uneven_long_sum", {"b: B, k: 8211, p: S, f32", "k: 8211, m: 3, f32"},
                 R"(
    %y = axloom.contract %x0, %x1 over ["k"] : T<b: B, k: 8211, p: S, f32>, T<k: 8211, m: 3, f32> -> T<b: B, m: 3, p: S, f32>)",
                 {"b: B, m: 3, p: S, f32"}, {"B", "S"},
                 "input_layouts = [#axloom.layout<[b, p, k]>, #axloom.layout<[m, k]>], "
                 "result_layouts = [#axloom.layout<[b, p, m]>]"))
      .tolerance = 1e-4;
  all.back().sizes = few;
  // The gradient of a loss's input sums over all classes.
  add(kernelCase(
          "many_classes",
          {"b: B, m: 3, p: S, f32", "c: 8300, m: 3, f32", "b: B, p: S, i32", "b: B, p: S, f32"},
          R"(
    %y:3 = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model "m" classes "c" smoothing 0.1 : T<b: B, m: 3, p: S, f32>, T<c: 8300, m: 3, f32>, T<b: B, p: S, i32>, T<b: B, p: S, f32> -> T<f32>, T<b: B, m: 3, p: S, f32>, T<c: 8300, m: 3, f32>)",
          {"f32", "b: B, m: 3, p: S, f32", "c: 8300, m: 3, f32"}, {"B", "S"},
          "input_layouts = [" + tokens +
              ", #axloom.layout<[c, m]>, #axloom.layout<[b, p]>, #axloom.layout<[b, p]>], "
              "result_layouts = [#axloom.layout<[]>, " +
              tokens + ", #axloom.layout<[c, m]>]"))
      .tolerance = 1e-4;
  all.back().sizes = few;
  all.back().sizes.push_back({{"B", 1}, {"S", 590}}); // several chunks of rows
  // Tokens of a fixed number: x is no weight, though it has a constant size.
  add(kernelCase("fixed_tokens",
                 {"m: 20, p: 1500, f32", "c: 33, m: 20, f32", "p: 1500, i32", "p: 1500, f32"},
                 R"(
    %y:3 = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model "m" classes "c" smoothing 0.1 : T<m: 20, p: 1500, f32>, T<c: 33, m: 20, f32>, T<p: 1500, i32>, T<p: 1500, f32> -> T<f32>, T<m: 20, p: 1500, f32>, T<c: 33, m: 20, f32>)",
                 {"f32", "m: 20, p: 1500, f32", "c: 33, m: 20, f32"}, {},
                 "input_layouts = [#axloom.layout<[p, m]>, #axloom.layout<[c, m]>, "
                 "#axloom.layout<[p]>, #axloom.layout<[p]>], result_layouts = "
                 "[#axloom.layout<[]>, #axloom.layout<[p, m]>, #axloom.layout<[c, m]>]"))
      .tolerance = 1e-4;
  return all;
}

/// Results that lie in bf16 between kernels, as passes/NarrowResults.cpp has them: hidden
/// activations, and the gradient of a weight from two of them.
std::vector<KernelCase> narrowCases() {
  std::vector<KernelCase> all;
  auto add = [&](KernelCase entry) -> KernelCase & { return all.emplace_back(std::move(entry)); };
  add(kernelCase("narrow", {"b: B, m: 48, p: S, bf16", "m: 48, n: 80, f32"},
                 R"(
    %x = axloom.cast %x0 to f32 : T<b: B, m: 48, p: S, bf16> -> T<b: B, m: 48, p: S, f32>
    %z = axloom.contract %x, %x1 over ["m"] : T<b: B, m: 48, p: S, f32>, T<m: 48, n: 80, f32> -> T<b: B, n: 80, p: S, f32>
    %c = axloom.constant 0.0 : f32 : T<f32>
    %r = axloom.maximum %z, %c : T<b: B, n: 80, p: S, f32>, T<f32> -> T<b: B, n: 80, p: S, f32>
    %y = axloom.cast %r to bf16 : T<b: B, n: 80, p: S, f32> -> T<b: B, n: 80, p: S, bf16>)",
                 {"b: B, n: 80, p: S, bf16"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[n, m]>], result_layouts = [#axloom.layout<[b, p, n]>]"))
      .tolerance = 8e-3; // a last bit of bf16, where sums differ in their last bits
  add(kernelCase("narrow_gradient", {"b: B, m: 48, p: S, bf16", "b: B, n: 80, p: S, bf16"},
                 R"(
    %x = axloom.cast %x0 to f32 : T<b: B, m: 48, p: S, bf16> -> T<b: B, m: 48, p: S, f32>
    %g = axloom.cast %x1 to f32 : T<b: B, n: 80, p: S, bf16> -> T<b: B, n: 80, p: S, f32>
    %y = axloom.contract %x, %g over ["b", "p"] : T<b: B, m: 48, p: S, f32>, T<b: B, n: 80, p: S, f32> -> T<m: 48, n: 80, f32>)",
                 {"m: 48, n: 80, f32"}, {"B", "S"},
                 "input_layouts = [" + tokens +
                     ", #axloom.layout<[b, p, n]>], result_layouts = [#axloom.layout<[n, m]>]"))
      .tolerance = 2e-4;
  return all;
}

/// All of them twice, the second time with factors of bf16. The slopes of a loss are such factors.
std::vector<KernelCase> inBothPrecisions() {
  std::vector<KernelCase> all = cases();
  for (const KernelCase &entry : cases()) {
    bool computesFactors = entry.text.find("linear_cross_entropy") != std::string::npos;
    all.push_back(withRoundedFactors(entry, computesFactors ? 4e-3 : entry.tolerance));
  }
  for (const KernelCase &entry : narrowCases())
    all.push_back(withRoundedFactors(entry, entry.tolerance));
  return all;
}

KernelCheck &checks() {
  static KernelCheck all(inBothPrecisions());
  return all;
}

class ContractionTest : public testing::TestWithParam<size_t> {};

TEST_P(ContractionTest, MatchesTheInterpreter) {
  if (isMultipliedFast(checks().at(GetParam()))) {
    EXPECT_EQ(checks().runner(GetParam()).description().family, "contraction");
  }
  checks().check(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, ContractionTest, testing::Range<size_t>(0, inBothPrecisions().size()),
                         [](const auto &info) { return inBothPrecisions()[info.param].name; });

/// Where vectors are shorter, blocks have fewer rows, iterations more terms, squares shorter sides,
/// and products pack parts of their operands.
class ContractionTargetTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, ContractionTargetTest, testing::Values("x86-64", "x86-64-avx2"),
                         [](const auto &info) { return info.param == "x86-64" ? "sse" : "avx2"; });

TEST_P(ContractionTargetTest, MatchesTheInterpreter) {
  axloom::codegen::Target target = *axloom::codegen::Target::named(GetParam());
  if (!runsHere(target))
    GTEST_SKIP() << "this machine does not run " << GetParam();
  checkNamed(cases(),
             {"weight_gradient", "uneven_gradient", "masked_weight_gradient", "uneven_columns_612",
              "linear_cross_entropy", "loss_alone", "many_classes", "uneven_long_sum"},
             target);
}
} // namespace
