// Every op, alone in a kernel with the generic schedule, against the interpreter.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom::test;

namespace {
std::vector<KernelCase> cases() {
  std::vector<KernelCase> all;
  auto add = [&](KernelCase entry) -> KernelCase & { return all.emplace_back(std::move(entry)); };
  auto unary = [&](std::string op, double low, double high) {
    for (std::string type : {"b: B, m: 20, f32", "b: B, m: 20, f64"}) {
      bool isDouble = type.ends_with("f64");
      KernelCase &entry = add(kernelCase(
          op + (isDouble ? "_of_double" : ""), {type},
          "%y = axloom." + op + " %x0 : T<" + type + "> -> T<" + type + ">", {type}, {"B"}));
      entry.low = low;
      entry.high = high;
      entry.tolerance = isDouble ? 1e-14 : 1e-6;
    }
  };
  for (const char *op : {"neg", "abs", "exp", "tanh", "sigmoid", "erf"})
    unary(op, -6, 6);
  unary("sin", -100, 100);
  unary("cos", -100, 100);
  for (const char *op : {"log", "sqrt", "rsqrt"})
    unary(op, 0.01, 9);

  auto binary = [&](std::string op, double low, double high) {
    KernelCase &entry =
        add(kernelCase(op, {"b: B, m: 20, f32", "m: 20, f32"},
                       "%y = axloom." + op +
                           " %x0, %x1 : T<b: B, m: 20, f32>, T<m: 20, f32> -> T<b: B, m: 20, f32>",
                       {"b: B, m: 20, f32"}, {"B"}));
    entry.low = low;
    entry.high = high;
    entry.tolerance = 1e-5;
  };
  for (const char *op : {"add", "sub", "mul", "maximum", "minimum"})
    binary(op, -3, 3);
  for (const char *op : {"div", "rem", "pow"})
    binary(op, 0.5, 3);
  for (std::string op : {"add", "sub", "mul", "div", "rem", "maximum", "minimum"})
    add(kernelCase("integer_" + op, {"b: B, i32"},
                   "%c = axloom.constant 3 : i32 : T<i32>\n%z = axloom.sub %x0, %c : T<b: B, i32>, "
                   "T<i32> -> T<b: B, i32>\n"
                   "%d = axloom.constant 2 : i32 : T<i32>\n%y = axloom." +
                       op + " %z, %d : T<b: B, i32>, T<i32> -> T<b: B, i32>",
                   {"b: B, i32"}, {"B"}));

  // Negative numbers have no logarithm.
  {
    const std::string x = "b: B, f32", yes = "b: B, i1", both = " : T<" + x + ">, T<" + x + "> -> ";
    std::string text = "%r = axloom.log %x0 : T<" + x + "> -> T<" + x + ">\n";
    std::vector<std::string> results;
    for (std::string predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      text += "%" + predicate + " = axloom.compare \"" + predicate + "\" %r, %x1" + both + "T<" +
              yes + ">\n";
      results.push_back(yes);
    }
    text += "%n = axloom.not %lt : T<" + yes + "> -> T<" + yes +
            ">\n%max = axloom.maximum %r, %x1" + both + "T<" + x +
            ">\n%min = axloom.minimum %x1, %r" + both + "T<" + x + ">\n";
    results.insert(results.end(), {yes, x, x});
    for (auto [number, name] : llvm::enumerate(std::initializer_list<std::string>{
             "eq", "ne", "lt", "le", "gt", "ge", "n", "max", "min"}))
      text = replaced(text, "%" + name + " ", "%r" + std::to_string(number) + " ");
    text = replaced(text, "%lt ", "%r2 ");
    add(kernelCase("not_a_number", {x, x}, text, results, {"B"}));
  }

  add(kernelCase("integers_wrap_around", {"b: B, i32"},
                 "%c = axloom.constant 715827883 : i32 : T<i32>\n%d = axloom.constant 1000 : i32 : "
                 "T<i32>\n%z = axloom.mul %x0, %c : T<b: B, i32>, T<i32> -> T<b: B, i32>\n"
                 "%y = axloom.div %z, %d : T<b: B, i32>, T<i32> -> T<b: B, i32>",
                 {"b: B, i32"}, {"B"}));
  add(kernelCase(
      "integers_wrap_around_before_a_quotient", {"b: B, i32"},
      "%c = axloom.constant 1073741824 : i32 : T<i32>\n%z = axloom.mul %x0, %c : T<b: B, "
      "i32>, T<i32> -> T<b: B, i32>\n"
      "%y = axloom.div %z, %c : T<b: B, i32>, T<i32> -> T<b: B, i32>",
      {"b: B, i32"}, {"B"}));

  for (std::string predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    add(kernelCase("compare_" + predicate, {"b: B, i32", "m: 20, i32"},
                   "%y = axloom.compare \"" + predicate +
                       "\" %x0, %x1 : T<b: B, i32>, T<m: 20, i32> -> T<b: B, m: 20, i1>",
                   {"b: B, m: 20, i1"}, {"B"}));
  for (std::string op : {"and", "or"})
    add(kernelCase(op, {"b: B, i1", "m: 20, i1"},
                   "%y = axloom." + op +
                       " %x0, %x1 : T<b: B, i1>, T<m: 20, i1> -> T<b: B, m: 20, i1>",
                   {"b: B, m: 20, i1"}, {"B"}));
  add(kernelCase("not", {"b: B, i1"}, "%y = axloom.not %x0 : T<b: B, i1> -> T<b: B, i1>",
                 {"b: B, i1"}, {"B"}));
  add(kernelCase("select", {"b: B, i1", "m: 20, f32", "b: B, f32"},
                 "%y = axloom.select %x0, %x1, %x2 : T<b: B, i1>, T<m: 20, f32>, T<b: B, f32> -> "
                 "T<b: B, m: 20, f32>",
                 {"b: B, m: 20, f32"}, {"B"}));
  add(kernelCase("cast_to_i32", {"b: B, f32"},
                 "%y = axloom.cast %x0 to i32 : T<b: B, f32> -> T<b: B, i32>", {"b: B, i32"},
                 {"B"}))
      .high = 9;
  add(kernelCase("cast_to_f32", {"b: B, i1"},
                 "%y = axloom.cast %x0 to f32 : T<b: B, i1> -> T<b: B, f32>", {"b: B, f32"},
                 {"B"}));
  add(kernelCase("cast_to_bf16", {"b: B, f32"},
                 "%y = axloom.cast %x0 to bf16 : T<b: B, f32> -> T<b: B, bf16>", {"b: B, bf16"},
                 {"B"}))
      .tolerance = 4e-3;
  add(kernelCase("random", {"i32", "i32", "i32"},
                 "%y = axloom.random %x0, %x1, %x2 : T<i32>, T<i32>, T<i32> -> T<b: B, m: 20, p: "
                 "S, f32> T<b: B, m: 20, p: S, f32>",
                 {"b: B, m: 20, p: S, f32"}, {"B", "S"}, "by_value = array<i64: 0, 1, 2>"))
      .tolerance = 0;

  add(kernelCase("contract", {"b: B, k: K, f32", "k: K, n: 20, f32"},
                 "%y = axloom.contract %x0, %x1 over [\"k\"] : T<b: B, k: K, f32>, T<k: K, n: 20, "
                 "f32> -> T<b: B, n: 20, f32>",
                 {"b: B, n: 20, f32"}, {"B", "K"}));
  add(kernelCase("contract_batched", {"b: B, d: 8, h: 3, q: S, f32", "b: B, d: 8, h: 3, k: T, f32"},
                 "%y = axloom.contract %x0, %x1 over [\"d\"] : T<b: B, d: 8, h: 3, q: S, f32>, "
                 "T<b: B, d: 8, h: 3, k: T, f32> -> T<b: B, h: 3, k: T, q: S, f32>",
                 {"b: B, h: 3, k: T, q: S, f32"}, {"B", "S", "T"},
                 "input_layouts = [#axloom.layout<[b, q, h, d]>, #axloom.layout<[b, k, h, d]>], "
                 "result_layouts = [#axloom.layout<[b, h, q, k]>]"));
  add(kernelCase(
      "contract_tokens", {"b: B, d: 8, h: 3, p: S, f32", "d: 8, h: 3, m: 40, f32"},
      "%y = axloom.contract %x0, %x1 over [\"d\", \"h\"] : T<b: B, d: 8, h: 3, p: S, f32>, T<d: 8, "
      "h: 3, m: 40, f32> -> T<b: B, m: 40, p: S, f32>",
      {"b: B, m: 40, p: S, f32"}, {"B", "S"},
      "input_layouts = [#axloom.layout<[b, p, h, d]>, #axloom.layout<[h, d, m]>], "
      "result_layouts = [#axloom.layout<[b, p, m]>]"));
  add(kernelCase("contract_bf16", {"b: B, k: 24, bf16", "k: 24, n: 20, bf16"},
                 "%y = axloom.contract %x0, %x1 over [\"k\"] : T<b: B, k: 24, bf16>, T<k: 24, n: "
                 "20, bf16> -> T<b: B, n: 20, bf16>",
                 {"b: B, n: 20, bf16"}, {"B"}))
      .tolerance = 4e-2;
  for (std::string kind : {"sum", "max", "min"})
    add(kernelCase("reduce_" + kind, {"b: B, m: M, p: S, f32"},
                   "%y = axloom.reduce \"" + kind +
                       "\" %x0 over [\"b\", \"m\"] : T<b: B, m: M, p: S, f32> -> T<p: S, f32>",
                   {"p: S, f32"}, {"B", "M", "S"}))
        .tolerance = 1e-4;
  add(kernelCase(
          "reduce_all", {"b: B, p: S, f32"},
          "%y = axloom.reduce \"sum\" %x0 over [\"b\", \"p\"] : T<b: B, p: S, f32> -> T<f32>",
          {"f32"}, {"B", "S"}))
      .tolerance = 1e-4;
  add(kernelCase("argmax", {"b: B, m: M, f32"},
                 "%y = axloom.argmax %x0 over \"m\" : T<b: B, m: M, f32> -> T<b: B, i32>",
                 {"b: B, i32"}, {"B", "M"}));
  add(kernelCase(
      "broadcast", {"b: B, f32"},
      "%y = axloom.broadcast %x0 to T<b: B, m: 20, f32> : T<b: B, f32> -> T<b: B, m: 20, f32>",
      {"b: B, m: 20, f32"}, {"B"}));
  add(kernelCase("gather", {"m: 20, v: 9, f32", "b: B, p: S, i32"},
                 "%y = axloom.gather %x0, %x1 along \"v\" : T<m: 20, v: 9, f32>, T<b: B, p: S, "
                 "i32> -> T<b: B, m: 20, p: S, f32>",
                 {"b: B, m: 20, p: S, f32"}, {"B", "S"},
                 "input_layouts = [#axloom.layout<[v, m]>, #axloom.layout<[b, p]>], result_layouts "
                 "= [#axloom.layout<[b, p, m]>]"));
  add(kernelCase(
      "gather_together", {"b: B, v: 9, f32", "b: B, i32"},
      "%y = axloom.gather %x0, %x1 along \"v\" : T<b: B, v: 9, f32>, T<b: B, i32> -> T<b: B, f32>",
      {"b: B, f32"}, {"B"}));
  add(kernelCase("scatter_add", {"b: B, m: 20, p: S, f32", "b: B, p: S, i32"},
                 "%y = axloom.scatter_add %x0, %x1 along \"v\" to T<m: 20, v: 9, f32> : T<b: B, m: "
                 "20, p: S, f32>, T<b: B, p: S, i32> -> T<m: 20, v: 9, f32>",
                 {"m: 20, v: 9, f32"}, {"B", "S"},
                 "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[b, p]>], "
                 "result_layouts = [#axloom.layout<[v, m]>]"))
      .tolerance = 1e-4;
  // Thousands of ones: a sum in bf16 would end at 256.
  add(kernelCase(
          "scatter_add_bf16", {"b: B, p: S, i32"},
          "%o = axloom.constant 1.0 : bf16 : T<bf16>\n%x = axloom.broadcast %o to T<b: B, p: "
          "S, bf16> : T<bf16> -> T<b: B, p: S, bf16>\n"
          "%y = axloom.scatter_add %x, %x0 along \"v\" to T<v: 1, bf16> : T<b: B, p: S, "
          "bf16>, T<b: B, p: S, i32> -> T<v: 1, bf16>",
          {"v: 1, bf16"}, {"B", "S"}))
      .limit = 1;
  all.back().tolerance = 0x1p-8;
  add(kernelCase("scatter_together", {"b: B, f32", "b: B, i32"},
                 "%y = axloom.scatter_add %x0, %x1 along \"v\" to T<b: B, v: 9, f32> : T<b: B, "
                 "f32>, T<b: B, i32> -> T<b: B, v: 9, f32>",
                 {"b: B, v: 9, f32"}, {"B"}));
  add(kernelCase(
      "rename", {"p: S, m: 20, f32"},
      "%y = axloom.rename %x0 \"p\" to \"k\" : T<p: S, m: 20, f32> -> T<k: S, m: 20, f32>",
      {"k: S, m: 20, f32"}, {"S"}));
  add(kernelCase("split", {"b: B, m: 24, f32"},
                 "%y = axloom.split %x0 \"m\" into [\"h\", \"d\"] inner <8> : T<b: B, m: 24, f32> "
                 "-> T<b: B, d: 8, h: 3, f32>",
                 {"b: B, d: 8, h: 3, f32"}, {"B"}));
  add(kernelCase("merge", {"b: B, d: 8, h: 3, f32"},
                 "%y = axloom.merge %x0 [\"h\", \"d\"] into \"m\" : T<b: B, d: 8, h: 3, f32> -> "
                 "T<b: B, m: 24, f32>",
                 {"b: B, m: 24, f32"}, {"B"}, "input_layouts = [#axloom.layout<[b, h, d]>]"));
  add(kernelCase(
      "merge_batch", {"b: B, p: S, f32", "p: S, f32"},
      "%z = axloom.add %x0, %x1 : T<b: B, p: S, f32>, T<p: S, f32> -> T<b: B, p: S, f32>\n%y = "
      "axloom.merge %z [\"b\", \"p\"] into \"t\" : T<b: B, p: S, f32> -> T<t: B*S, f32>",
      {"t: B*S, f32"}, {"B", "S"}));
  add(kernelCase(
      "slice", {"b: B, m: 24, f32"},
      "%y = axloom.slice %x0 \"m\" from 5 size 11 : T<b: B, m: 24, f32> -> T<b: B, m: 11, f32>",
      {"b: B, m: 11, f32"}, {"B"}));
  add(kernelCase("pad", {"b: B, m: 24, f32"},
                 "%y = axloom.pad %x0 \"m\" low 2 high 3 with 7.5 : T<b: B, m: 24, f32> -> T<b: B, "
                 "m: 29, f32>",
                 {"b: B, m: 29, f32"}, {"B"}));
  add(kernelCase(
      "shift", {"b: B, p: S, i32"},
      "%y = axloom.shift %x0 \"p\" by 1 with 3.0 : T<b: B, p: S, i32> -> T<b: B, p: S, i32>",
      {"b: B, p: S, i32"}, {"B", "S"}));
  add(kernelCase("update", {"b: B, m: 20, p: 7, f32", "b: B, i32", "b: B, m: 20, f32"},
                 "%y = axloom.update %x0 at %x1 with %x2 along \"p\" : T<b: B, m: 20, p: 7, f32>, "
                 "T<b: B, i32>, T<b: B, m: 20, f32> -> T<b: B, m: 20, p: 7, f32>",
                 {"b: B, m: 20, p: 7, f32"}, {"B"}))
      .limit = 7;
  // Rows of what lies in the result already, in any order of its axes.
  for (const char *order : {"b, p, m", "p, b, m", "b, m, p", "p, m, b"})
    for (const char *type : {"f32", "bf16", "i32"}) {
      std::string cache = std::string("b: B, m: 20, p: 7, ") + type;
      std::string row = std::string("b: B, m: 20, ") + type;
      std::string layout = std::string("#axloom.layout<[") + order + "]>";
      add(kernelCase("update_in_place_" + std::string(1, order[3]) + order[6] + "_" + type,
                     {cache, "b: B, i32", row},
                     "%y = axloom.update %x0 at %x1 with %x2 along \"p\" : T<" + cache +
                         ">, T<b: B, i32>, T<" + row + "> -> T<" + cache + ">",
                     {cache}, {"B"},
                     "in_place = array<i64: 0>, input_layouts = [" + layout +
                         ", #axloom.layout<[b]>, #axloom.layout<[b, m]>], result_layouts = [" +
                         layout + "]"))
          .limit = 7;
    }
  add(kernelCase("update_number_in_place", {"p: 7, f32", "i32", "f32"},
                 "%y = axloom.update %x0 at %x1 with %x2 along \"p\" : T<p: 7, f32>, T<i32>, "
                 "T<f32> -> T<p: 7, f32>",
                 {"p: 7, f32"}, {}, "in_place = array<i64: 0>"))
      .limit = 7;
  add(kernelCase("iota", {"b: B, i32"},
                 "%z = axloom.iota \"p\" size <S> : T<p: S, i32>\n%y = axloom.add %x0, %z : T<b: "
                 "B, i32>, T<p: S, i32> -> T<b: B, p: S, i32>",
                 {"b: B, p: S, i32"}, {"B", "S"}));
  // Beyond 32 bits from two tokens on, though no tensor has such an axis.
  add(kernelCase("size_of", {"b: B, f32"},
                 "%z = axloom.size_of <1234567890*B*S> : T<f32>\n%y = axloom.mul %x0, %z : T<b: B, "
                 "f32>, T<f32> -> T<b: B, f32>",
                 {"b: B, f32"}, {"B", "S"}));
  add(kernelCase("size_of_to", {"b: B, i32"},
                 "%z = axloom.size_of <3*B*S> to i32 : T<i32>\n%y = axloom.mul %x0, %z : T<b: B, "
                 "i32>, T<i32> -> T<b: B, i32>",
                 {"b: B, i32"}, {"B", "S"}));

  add(kernelCase("softmax", {"b: B, k: S, f32"},
                 "%y = axloom.softmax %x0 over \"k\" : T<b: B, k: S, f32> -> T<b: B, k: S, f32>",
                 {"b: B, k: S, f32"}, {"B", "S"}));
  add(kernelCase("softmax_masked", {"b: B, k: S, f32", "b: B, k: S, i1"},
                 "%y = axloom.softmax %x0 mask %x1 over \"k\" : T<b: B, k: S, f32>, T<b: B, k: S, "
                 "i1> -> T<b: B, k: S, f32>",
                 {"b: B, k: S, f32"}, {"B", "S"}));
  add(kernelCase("softmax_mask_of_more_axes", {"k: S, f32", "b: B, k: S, i1"},
                 "%y = axloom.softmax %x0 mask %x1 over \"k\" : T<k: S, f32>, T<b: B, k: S, i1> -> "
                 "T<b: B, k: S, f32>",
                 {"b: B, k: S, f32"}, {"B", "S"}));
  // What is hidden may be so much larger than what is not that its exponential overflows.
  all.push_back(all.back());
  all.back().name = "softmax_masked_of_large_numbers";
  all.back().low = -200;
  all.back().high = 200;
  // With a result beside it, rows are not read, summed and written at once.
  add(kernelCase(
      "softmax_masked_of_two_results", {"b: B, h: 3, k: S, f32", "b: B, k: S, i1"},
      "%r0 = axloom.softmax %x0 mask %x1 over \"k\" : T<b: B, h: 3, k: S, f32>, T<b: B, "
      "k: S, i1> -> T<b: B, h: 3, k: S, f32>\n%r1 = axloom.exp %r0 : T<b: B, h: 3, k: S, "
      "f32> -> T<b: B, h: 3, k: S, f32>",
      {"b: B, h: 3, k: S, f32", "b: B, h: 3, k: S, f32"}, {"B", "S"}));
  add(kernelCase(
      "layer_norm", {"b: B, m: 40, p: S, f32", "m: 40, f32", "m: 40, f32"},
      "%y:3 = axloom.layer_norm %x0 scale %x1 offset %x2 over \"m\" epsilon 1.0e-5 : T<b: B, m: "
      "40, p: S, f32> scale T<m: 40, f32> offset T<m: 40, f32> -> T<b: B, m: 40, p: S, f32>, T<b: "
      "B, p: S, f32>, T<b: B, p: S, f32>",
      {"b: B, m: 40, p: S, f32", "b: B, p: S, f32", "b: B, p: S, f32"}, {"B", "S"},
      "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[m]>, #axloom.layout<[m]>], "
      "result_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[b, p]>, #axloom.layout<[b, "
      "p]>]"));
  // A mean of 100 would lose its fractions in bf16.
  KernelCase &norm = add(
      kernelCase("layer_norm_bf16", {"b: B, m: 40, bf16"},
                 "%y, %m, %r = axloom.layer_norm %x0 over \"m\" epsilon 1.0e-5 : T<b: B, m: 40, "
                 "bf16> -> T<b: B, m: 40, bf16>, T<b: B, f32>, T<b: B, f32>",
                 {"b: B, m: 40, bf16"}, {"B"}));
  norm.low = 96;
  norm.high = 104;
  norm.tolerance = 2e-2;
  add(kernelCase(
          "attention_gradient_bf16",
          {"b: B, d: 8, q: S, bf16", "b: B, d: 8, k: S, bf16", "b: B, k: S, v: 8, bf16",
           "b: B, q: S, v: 8, bf16", "b: B, q: S, f32", "b: B, q: S, v: 8, bf16"},
          "%y:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 gradient "
          "%x5 depth \"d\" key \"k\" scale 0.3 : T<b: B, d: 8, q: S, bf16>, T<b: B, d: 8, "
          "k: S, bf16>, T<b: B, k: S, v: 8, bf16>, T<b: B, q: S, v: 8, bf16>, T<b: B, q: S, "
          "f32>, T<b: B, q: S, v: 8, bf16> -> T<b: B, d: 8, q: S, bf16>, T<b: B, d: 8, k: S, "
          "bf16>, T<b: B, k: S, v: 8, bf16>",
          {"b: B, d: 8, q: S, bf16", "b: B, d: 8, k: S, bf16", "b: B, k: S, v: 8, bf16"},
          {"B", "S"}))
      .tolerance = 2e-2;
  add(kernelCase("cross_entropy", {"b: B, c: 33, f32", "b: B, i32"},
                 "%y = axloom.cross_entropy %x0, %x1 over \"c\" smoothing 0.1 : T<b: B, c: 33, "
                 "f32>, T<b: B, i32> -> T<b: B, f32>",
                 {"b: B, f32"}, {"B"}));
  add(kernelCase("cross_entropy_plain", {"b: B, c: 33, f32", "b: B, i32"},
                 "%y = axloom.cross_entropy %x0, %x1 over \"c\" smoothing 0.0 : T<b: B, c: 33, "
                 "f32>, T<b: B, i32> -> T<b: B, f32>",
                 {"b: B, f32"}, {"B"}));
  add(kernelCase(
      "cross_entropy_with_softmax", {"b: B, c: 33, f32", "b: B, i32"},
      "%r0 = axloom.cross_entropy %x0, %x1 over \"c\" smoothing 0.1 : T<b: B, c: 33, "
      "f32>, T<b: B, i32> -> T<b: B, f32>\n%r1 = axloom.softmax %x0 over \"c\" : T<b: B, "
      "c: 33, f32> -> T<b: B, c: 33, f32>",
      {"b: B, f32", "b: B, c: 33, f32"}, {"B"}));
  add(kernelCase(
          "linear_cross_entropy",
          {"b: B, m: 20, p: S, f32", "c: 33, m: 20, f32", "b: B, p: S, i32", "b: B, p: S, f32"},
          "%y:3 = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model \"m\" classes \"c\" "
          "smoothing 0.1 : T<b: B, m: 20, p: S, f32>, T<c: 33, m: 20, f32>, T<b: B, p: S, i32>, "
          "T<b: B, p: S, f32> -> T<f32>, T<b: B, m: 20, p: S, f32>, T<c: 33, m: 20, f32>",
          {"f32", "b: B, m: 20, p: S, f32", "c: 33, m: 20, f32"}, {"B", "S"},
          "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[c, m]>, #axloom.layout<[b, "
          "p]>, #axloom.layout<[b, p]>], "
          "result_layouts = [#axloom.layout<[]>, #axloom.layout<[b, p, m]>, #axloom.layout<[c, "
          "m]>]"))
      .tolerance = 1e-4;

  std::string q = "b: B, d: 8, h: 3, q: S, f32", k = "b: B, d: 8, h: 3, k: T, f32",
              v = "b: B, e: 6, h: 3, k: T, f32";
  std::string context = "b: B, e: 6, h: 3, q: S, f32", lse = "b: B, h: 3, q: S, f32";
  add(kernelCase("attention", {q, k, v},
                 "%y:2 = axloom.attention %x0, %x1, %x2 depth \"d\" key \"k\" scale 0.35 : T<" + q +
                     ">, T<" + k + ">, T<" + v + "> -> T<" + context + ">, T<" + lse + ">",
                 {context, lse}, {"B", "S", "T"}));
  std::string bias = "h: 3, k: T, q: S, f32", mask = "b: B, k: T, q: S, i1",
              keep = "b: B, h: 3, k: T, q: S, f32";
  std::string extras = " bias %x3 mask %x4 keep %x5 ";
  std::string extraTypes = " bias T<" + bias + "> mask T<" + mask + "> keep T<" + keep + ">";
  add(kernelCase("attention_full", {q, k, v, bias, mask, keep},
                 "%y:2 = axloom.attention %x0, %x1, %x2" + extras +
                     "depth \"d\" key \"k\" scale 0.35 : T<" + q + ">, T<" + k + ">, T<" + v + ">" +
                     extraTypes + " -> T<" + context + ">, T<" + lse + ">",
                 {context, lse}, {"B", "S", "T"}));
  add(kernelCase(
          "attention_gradient", {q, k, v, bias, mask, keep, context, lse, context},
          "%y:3 = axloom.attention_gradient %x0, %x1, %x2" + extras +
              "output %x6 log2sumexp %x7 gradient %x8 depth \"d\" key \"k\" scale 0.35 : T<" + q +
              ">, T<" + k + ">, T<" + v + ">" + extraTypes + ", T<" + context + ">, T<" + lse +
              ">, T<" + context + "> -> T<" + q + ">, T<" + k + ">, T<" + v + ">",
          {q, k, v}, {"B", "S", "T"}))
      .tolerance = 2e-4;
  const std::string gradient =
      "%y:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 gradient "
      "%x5 depth \"d\" key \"k\" scale 0.35 : T<" +
      q + ">, T<" + k + ">, T<" + v + ">, T<" + context + ">, T<" + lse + ">, T<" + context +
      "> -> T<" + q + ">, T<" + k + ">, T<" + v + ">";
  // Projections leave heads inside positions: batch and query lie side by side in q, which must not
  // make them one axis.
  std::string tokensInside =
      "#axloom.layout<[b, q, h, d]>, #axloom.layout<[b, h, k, d]>, #axloom.layout<[b, h, k, e]>";
  add(kernelCase("attention_gradient_of_projections", {q, k, v, context, lse, context}, gradient,
                 {q, k, v}, {"B", "S", "T"},
                 "input_layouts = [" + tokensInside +
                     ", #axloom.layout<[b, q, h, e]>, #axloom.layout<[b, q, h]>, "
                     "#axloom.layout<[b, q, h, e]>], "
                     "result_layouts = [" +
                     tokensInside + "]"))
      .tolerance = 2e-4;
  // Batch and query side by side, as models have them: keys know the batch alone.
  add(kernelCase("attention_gradient_by_tokens", {q, k, v, context, lse, context}, gradient,
                 {q, k, v}, {"B", "S", "T"},
                 "input_layouts = [#axloom.layout<[b, q, h, d]>, #axloom.layout<[b, k, h, d]>, "
                 "#axloom.layout<[b, k, h, e]>, #axloom.layout<[b, q, h, e]>, #axloom.layout<[b, "
                 "q, h]>, #axloom.layout<[b, q, h, e]>], "
                 "result_layouts = [#axloom.layout<[b, q, h, d]>, #axloom.layout<[b, k, h, d]>, "
                 "#axloom.layout<[b, k, h, e]>]"))
      .tolerance = 2e-4;
  return all;
}

KernelCheck &checks() {
  static KernelCheck all(cases(), {.genericOnly = true});
  return all;
}

class OpsTest : public testing::TestWithParam<size_t> {};

TEST_P(OpsTest, MatchesTheInterpreter) { checks().check(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, OpsTest, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].name; });
} // namespace
