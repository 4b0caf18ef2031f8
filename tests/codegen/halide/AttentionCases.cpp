#include "tests/codegen/halide/AttentionCases.h"

using namespace axloom::test;
using namespace axloom::test::attention;

/// The mask and the dropout of a decoder's self-attention: x3 are the ids [b, q], x4 seed, step and
/// site.
static std::string decoderPrologue() {
  return R"(
    %row = axloom.iota "q" size <S> : T<q: S, i32>
    %column = axloom.iota "k" size <S> : T<k: S, i32>
    %causal = axloom.compare "le" %column, %row : T<k: S, i32>, T<q: S, i32> -> T<k: S, q: S, i1>
    %ids = axloom.rename %x3 "q" to "k" : T<b: B, q: S, i32> -> T<b: B, k: S, i32>
    %zero = axloom.constant 0 : i32 : T<i32>
    %real = axloom.compare "ne" %ids, %zero : T<b: B, k: S, i32>, T<i32> -> T<b: B, k: S, i1>
    %mask = axloom.and %causal, %real : T<k: S, q: S, i1>, T<b: B, k: S, i1> -> T<b: B, k: S, q: S, i1>
    %uniform = axloom.random %x4, %x4, %x4 : T<i32>, T<i32>, T<i32> -> T<b: B, h: 2, k: S, q: S, f32> T<b: B, h: 2, k: S, q: S, f32>
    %rate = axloom.constant 0.25 : f32 : T<f32>
    %stays = axloom.compare "ge" %uniform, %rate : T<b: B, h: 2, k: S, q: S, f32>, T<f32> -> T<b: B, h: 2, k: S, q: S, i1>
    %factor = axloom.constant 1.5 : f32 : T<f32>
    %nothing = axloom.constant 0.0 : f32 : T<f32>
    %keep = axloom.select %stays, %factor, %nothing : T<b: B, h: 2, k: S, q: S, i1>, T<f32>, T<f32> -> T<b: B, h: 2, k: S, q: S, f32>
)";
}

std::string attention::slidingPrologue() {
  return replaced(
      decoderPrologue(), "    %ids =",
      R"(    %distance = axloom.sub %row, %column : T<q: S, i32>, T<k: S, i32> -> T<k: S, q: S, i32>
    %window = axloom.constant 41 : i32 : T<i32>
    %near = axloom.compare "lt" %distance, %window : T<k: S, q: S, i32>, T<i32> -> T<k: S, q: S, i1>
    %seen = axloom.and %causal, %near : T<k: S, q: S, i1>, T<k: S, q: S, i1> -> T<k: S, q: S, i1>
    %ids =)");
}

/// %q, %k and %v as slices of x0 [b, q, h, f], where one contraction computed all of them.
static std::string sliced() {
  return R"(
    %q0 = axloom.slice %x0 "f" from 0 size 16 : T<b: B, f: 64, h: 2, q: S, f32> -> T<b: B, f: 16, h: 2, q: S, f32>
    %q = axloom.rename %q0 "f" to "d" : T<b: B, f: 16, h: 2, q: S, f32> -> T<b: B, d: 16, h: 2, q: S, f32>
    %k0 = axloom.slice %x0 "f" from 16 size 16 : T<b: B, f: 64, h: 2, q: S, f32> -> T<b: B, f: 16, h: 2, q: S, f32>
    %k1 = axloom.rename %k0 "f" to "d" : T<b: B, f: 16, h: 2, q: S, f32> -> T<b: B, d: 16, h: 2, q: S, f32>
    %k = axloom.rename %k1 "q" to "k" : T<b: B, d: 16, h: 2, q: S, f32> -> T<b: B, d: 16, h: 2, k: S, f32>
    %v0 = axloom.slice %x0 "f" from 32 size 32 : T<b: B, f: 64, h: 2, q: S, f32> -> T<b: B, f: 32, h: 2, q: S, f32>
    %v1 = axloom.rename %v0 "f" to "e" : T<b: B, f: 32, h: 2, q: S, f32> -> T<b: B, e: 32, h: 2, q: S, f32>
    %v = axloom.rename %v1 "q" to "k" : T<b: B, e: 32, h: 2, q: S, f32> -> T<b: B, e: 32, h: 2, k: S, f32>
)";
}

std::vector<KernelCase> attention::cases() {
  std::vector<KernelCase> all;
  auto add = [&](KernelCase entry) { all.push_back(std::move(entry)); };
  std::string forward = "%y:2 = axloom.attention %x0, %x1, %x2",
              back = "%y:3 = axloom.attention_gradient %x0, %x1, %x2";
  std::string sums =
      " T<" + context + ">, T<" + normalizer + ">, T<" + context + "> -> " + qkvTypes;

  add(kernelCase("plain", {q, k, v}, forward + axes + qkvTypes + results, {context, normalizer},
                 {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + "], result_layouts = [" + resultLayouts + "]"));
  // As inference asks for it.
  add(kernelCase("context_alone", {q, k, v},
                 replaced(forward, "%y:2", "%y, %rows") + axes + qkvTypes + results, {context},
                 {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + "], result_layouts = [" + layout("b, q, h, e") +
                     "]"));
  // Values are read where they lie.
  add(kernelCase("values_in_rows", {q, k, v}, forward + axes + qkvTypes + results,
                 {context, normalizer}, {"B", "S", "T"},
                 "input_layouts = [" + layout("b, q, h, d") + ", " + layout("b, h, k, d") + ", " +
                     layout("b, h, k, e") + "], result_layouts = [" + resultLayouts + "]"));
  add(kernelCase("bias_mask", {q, k, v, bias, mask},
                 forward + " bias %x3 mask %x4" + axes + qkvTypes + " bias T<" + bias +
                     "> mask T<" + mask + ">" + results,
                 {context, normalizer}, {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + ", " + layout("h, q, k") + ", " +
                     layout("b, k") + "], result_layouts = [" + resultLayouts + "]"));
  add(kernelCase("gradient", {q, k, v, bias, mask, context, normalizer, context},
                 back + " bias %x3 mask %x4 output %x5 log2sumexp %x6 gradient %x7" + axes +
                     qkvTypes + " bias T<" + bias + "> mask T<" + mask + ">," + sums,
                 {q, k, v}, {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + ", " + layout("h, q, k") + ", " +
                     layout("b, k") + ", " + layout("b, q, h, e") + ", " + layout("b, q, h") +
                     ", " + layout("b, q, h, e") + "], result_layouts = [" + qkvLayouts + "]"));

  // Sentences of some lengths: keys behind their ends are not read.
  std::string shown = "%i = axloom.iota \"k\" size <T> : T<k: T, i32>\n    %m = axloom.compare "
                      "\"lt\" %i, %x3 : T<k: T, i32>, T<b: B, i32> -> T<" +
                      mask + ">\n    ";
  add(kernelCase("lengths", {q, k, v, "b: B, i32"},
                 shown + forward + " mask %m" + axes + qkvTypes + " mask T<" + mask + ">" + results,
                 {context, normalizer}, {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + ", " + layout("b") + "], result_layouts = [" +
                     resultLayouts + "]"));

  all.push_back(all.back());
  all.back().name = "lengths_of_nothing";
  // A limit for each query.
  std::string each = "b: B, q: S, i32", shownToEach = "b: B, k: T, q: S, i1";
  add(kernelCase("limits_of_queries", {q, k, v, each},
                 replaced(replaced(shown, "T<b: B, i32>", "T<" + each + ">"), mask, shownToEach) +
                     forward + " mask %m" + axes + qkvTypes + " mask T<" + shownToEach + ">" +
                     results,
                 {context, normalizer}, {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + ", " + layout("b, q") +
                     "], result_layouts = [" + resultLayouts + "]"));

  // A decoder's self-attention: the mask reads the ids of the queries as those of the keys.
  std::string masked = " mask T<b: B, k: S, q: S, i1> keep T<b: B, h: 2, k: S, q: S, f32>";
  auto square = [](const std::string &text) { return replaced(text, "k: T", "k: S"); };
  std::string ids = "b: B, q: S, i32", idLayouts = ", " + layout("b, q") + ", " + layout("");
  for (std::string name : {"decoder", "odd_decoder", "sliding_decoder"}) {
    std::string prologue =
        name == "sliding_decoder"
            ? replaced(slidingPrologue(), "and %causal, %real", "and %seen, %real")
            : decoderPrologue();
    auto deep = [&](const std::string &text) {
      bool odd = name == "odd_decoder"; // three and five vectors
      return odd ? replaced(replaced(text, "d: 16", "d: 24"), "e: 32", "e: 40") : text;
    };
    auto all = [&](const std::string &text) { return deep(square(text)); };
    add(kernelCase(name, {all(q), all(k), all(v), ids, "i32"},
                   prologue + all(forward + " mask %mask keep %keep" + axes + qkvTypes) + masked +
                       deep(results),
                   {deep(context), normalizer}, {"B", "S"},
                   "by_value = array<i64: 4>, input_layouts = [" + qkvLayouts + idLayouts +
                       "], result_layouts = [" + resultLayouts + "]"));
    add(kernelCase(name + "_gradient",
                   {all(q), all(k), all(v), ids, "i32", deep(context), normalizer, deep(context)},
                   prologue +
                       all(back + " mask %mask keep %keep output %x5 log2sumexp %x6 gradient %x7" +
                           axes + qkvTypes) +
                       masked + "," + all(sums),
                   {all(q), all(k), all(v)}, {"B", "S"},
                   "by_value = array<i64: 4>, input_layouts = [" + qkvLayouts + idLayouts + ", " +
                       layout("b, q, h, e") + ", " + layout("b, q, h") + ", " +
                       layout("b, q, h, e") + "], result_layouts = [" + qkvLayouts + "]"));
  }
  // Queries, keys and values side by side.
  std::string fused = "b: B, f: 64, h: 2, q: S, f32", fusedLayout = layout("b, q, h, f");
  auto ofSlices = [&](const std::string &text) {
    return sliced() + square(replaced(text, "%x0, %x1, %x2", "%q, %k, %v"));
  };
  add(kernelCase("slices", {fused}, ofSlices(forward + axes + qkvTypes + results),
                 {context, normalizer}, {"B", "S"},
                 "input_layouts = [" + fusedLayout + "], result_layouts = [" + resultLayouts +
                     "]"));
  add(kernelCase(
      "slices_gradient", {fused, context, normalizer, context},
      ofSlices(back + " output %x1 log2sumexp %x2 gradient %x3" + axes + qkvTypes + "," + sums),
      {square(q), square(k), square(v)}, {"B", "S"},
      "input_layouts = [" + fusedLayout + ", " + layout("b, q, h, e") + ", " + layout("b, q, h") +
          ", " + layout("b, q, h, e") + "], result_layouts = [" + qkvLayouts + "]"));
  // Heads that are split from a width: of each, and of all side by side.
  auto width = [](const std::string &inner, const std::string &size) {
    return replaced(replaced(inner, "d: 16, h: 2", "g: 32"), "e: 32, h: 2", "g: " + size);
  };
  auto split = [&](const std::string &name, const std::string &from, const std::string &wide,
                   const std::string &type, const std::string &depth) {
    return "\n    %" + name + " = axloom.split %" + from + " \"g\" into [\"h\", \"" + depth[0] +
           "\"] inner <" + depth.substr(3) + "> : T<" + wide + "> -> T<" + type + ">\n    ";
  };
  std::string splits = split("q", "x0", width(q, ""), q, "d: 16") +
                       split("k", "x1", width(k, ""), k, "d: 16") +
                       split("v", "x2", width(v, "64"), v, "e: 32");
  std::string widths = layout("b, q, g") + ", " + layout("b, k, g") + ", " + layout("b, k, g");
  auto ofSplits = [](const std::string &text) {
    return replaced(text, "%x0, %x1, %x2", "%q, %k, %v");
  };
  add(kernelCase("split_heads", {width(q, ""), width(k, ""), width(v, "64")},
                 splits + ofSplits(forward + axes + qkvTypes + results), {context, normalizer},
                 {"B", "S", "T"},
                 "input_layouts = [" + widths + "], result_layouts = [" + resultLayouts + "]"));
  add(kernelCase("split_heads_gradient",
                 {width(q, ""), width(k, ""), width(v, "64"), context, normalizer, context},
                 splits + ofSplits(back + " output %x3 log2sumexp %x4 gradient %x5" + axes +
                                   qkvTypes + "," + sums),
                 {q, k, v}, {"B", "S", "T"},
                 "input_layouts = [" + widths + ", " + layout("b, q, h, e") + ", " +
                     layout("b, q, h") + ", " + layout("b, q, h, e") + "], result_layouts = [" +
                     qkvLayouts + "]"));
  // Depths that are no whole vectors, or three and five of them.
  for (const auto &[name, depth, value] :
       {std::tuple("odd_depths", "d: 10", "e: 41"), {"odd_vectors", "d: 24", "e: 40"}}) {
    auto odd = [&](const std::string &text) {
      return replaced(replaced(text, "d: 16", depth), "e: 32", value);
    };
    add(kernelCase(name, {odd(q), odd(k), odd(v)}, odd(forward + axes + qkvTypes + results),
                   {odd(context), normalizer}, {"B", "S", "T"},
                   "input_layouts = [" + qkvLayouts + "], result_layouts = [" + resultLayouts +
                       "]"));
    add(kernelCase(
        name + std::string("_gradient"),
        {odd(q), odd(k), odd(v), odd(context), normalizer, odd(context)},
        odd(back + " output %x3 log2sumexp %x4 gradient %x5" + axes + qkvTypes + "," + sums),
        {odd(q), odd(k), odd(v)}, {"B", "S", "T"},
        "input_layouts = [" + qkvLayouts + ", " + layout("b, q, h, e") + ", " + layout("b, q, h") +
            ", " + layout("b, q, h, e") + "], result_layouts = [" + qkvLayouts + "]"));
  }
  // Results of which shared axes are the innermost ones, three of them.
  auto grouped = [](const std::string &text) { return replaced(text, "h: 2", "g: 2, h: 2"); };
  add(kernelCase(
      "shared_axes_inside_gradient",
      {grouped(q), grouped(k), grouped(v), grouped(context), grouped(normalizer), grouped(context)},
      grouped(back + " output %x3 log2sumexp %x4 gradient %x5" + axes + qkvTypes + "," + sums),
      {grouped(q), grouped(k), grouped(v)}, {"B", "S", "T"},
      "input_layouts = [" + layout("b, g, h, q, d") + ", " + layout("b, g, h, k, d") + ", " +
          layout("b, g, h, k, e") + ", " + layout("b, g, h, q, e") + ", " + layout("b, g, h, q") +
          ", " + layout("b, g, h, q, e") + "], result_layouts = [" + layout("q, d, b, g, h") +
          ", " + layout("k, d, b, g, h") + ", " + layout("k, e, b, g, h") + "]"));
  // Values along the axis of queries and keys.
  auto named = [](const std::string &text) {
    return replaced(replaced(text, "e: 32", "d: 16"), "h, e]", "h, d]");
  };
  add(kernelCase(
      "values_named_depth", {q, k, named(v)}, named(forward + axes + qkvTypes + results),
      {named(context), normalizer}, {"B", "S", "T"},
      named("input_layouts = [" + qkvLayouts + "], result_layouts = [" + resultLayouts + "]")));
  add(kernelCase(
      "values_named_depth_gradient", {q, k, named(v), named(context), normalizer, named(context)},
      named(back + " output %x3 log2sumexp %x4 gradient %x5" + axes + qkvTypes + "," + sums),
      {q, k, named(v)}, {"B", "S", "T"},
      named("input_layouts = [" + qkvLayouts + ", " + layout("b, q, h, e") + ", " +
            layout("b, q, h") + ", " + layout("b, q, h, e") + "], result_layouts = [" + qkvLayouts +
            "]")));
  // Results that lie in bf16, as passes/NarrowResults.cpp has them.
  auto narrow = [](const std::string &type) { return replaced(type, "f32", "bf16"); };
  auto rounded = [&](const std::string &result, const std::string &type) {
    return "\n    %" + result + " = axloom.cast %y#" + result.back() + " to bf16 : T<" + type +
           "> -> T<" + narrow(type) + ">";
  };
  add(kernelCase("narrow", {q, k, v}, forward + axes + qkvTypes + results + rounded("r0", context),
                 {narrow(context), normalizer}, {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + "], result_layouts = [" + resultLayouts + "]"));
  all.back().text = replaced(all.back().text, "%r1", "%y#1"); // as it is
  // Queries that lie in bf16: rows of several squares of pairs, and of less than one.
  for (std::string depth : {"64", "16"}) {
    auto deep = [&](const std::string &text) { return replaced(text, "d: 16", "d: " + depth); };
    add(kernelCase(
        "narrow_queries_" + depth, {narrow(deep(q)), deep(k), v},
        "\n    %q = axloom.cast %x0 to f32 : T<" + narrow(deep(q)) + "> -> T<" + deep(q) + ">" +
            replaced(forward, "%x0", "%q") + axes + deep(qkvTypes) + results,
        {context, normalizer}, {"B", "S", "T"},
        "input_layouts = [" + qkvLayouts + "], result_layouts = [" + resultLayouts + "]"));
  }
  std::string wide = "%c = axloom.cast %x5 to f32 : T<" + narrow(context) + "> -> T<" + context +
                     ">\n    %g = axloom.cast %x7 to f32 : T<" + narrow(context) + "> -> T<" +
                     context + ">\n    ";
  add(kernelCase(
      "narrow_decoder_gradient",
      {square(q), square(k), square(v), ids, "i32", narrow(context), normalizer, narrow(context)},
      decoderPrologue() + wide +
          square(back + " mask %mask keep %keep output %c log2sumexp %x6 gradient %g" + axes +
                 qkvTypes) +
          masked + "," + square(sums) + rounded("r0", q) + rounded("r1", square(k)) +
          rounded("r2", square(v)),
      {narrow(q), narrow(square(k)), narrow(square(v))}, {"B", "S"},
      "by_value = array<i64: 4>, input_layouts = [" + qkvLayouts + idLayouts + ", " +
          layout("b, q, h, e") + ", " + layout("b, q, h") + ", " + layout("b, q, h, e") +
          "], result_layouts = [" + qkvLayouts + "]"));
  // One head of one sentence with all its queries at once: there is nothing to loop over.
  auto alone = [](const std::string &text) {
    return replaced(replaced(text, "b: B, ", ""), "h: 2, ", "");
  };
  std::string rows = layout("q, d") + ", " + layout("k, d") + ", " + layout("k, e");
  add(kernelCase("narrow_gradient_alone",
                 {alone(q), alone(k), alone(v), alone(context), alone(normalizer), alone(context)},
                 alone(back + " output %x3 log2sumexp %x4 gradient %x5" + axes + qkvTypes + "," +
                       sums + rounded("r0", q) + rounded("r1", k) + rounded("r2", v)),
                 {alone(narrow(q)), alone(narrow(k)), alone(narrow(v))}, {"S", "T"},
                 "input_layouts = [" + rows + ", " + layout("q, e") + ", " + layout("q") + ", " +
                     layout("q, e") + "], result_layouts = [" + rows + "]"));
  // Operands without rows: a number for all of them, and a row for all of them.
  std::string everywhere = "%g = axloom.broadcast %x5 to T<" + context + "> : T<f32> -> T<" +
                           context + ">\n    " + "%v = axloom.broadcast %x2 to T<" + v +
                           "> : T<e: 32, f32> -> T<" + v + ">\n    ";
  add(kernelCase("gradient_of_a_mean", {q, k, "e: 32, f32", context, normalizer, "f32"},
                 everywhere + replaced(back, "%x2", "%v") +
                     " output %x3 log2sumexp %x4 gradient %g" + axes + qkvTypes + "," + sums,
                 {q, k, v}, {"B", "S", "T"},
                 "input_layouts = [" + layout("b, q, h, d") + ", " + layout("b, h, k, d") + ", " +
                     layout("e") + ", " + layout("b, q, h, e") + ", " + layout("b, q, h") + ", " +
                     layout("") + "], result_layouts = [" + qkvLayouts + "]"));
  for (KernelCase &entry : all) {
    // Of bf16, a last bit where sums differ in their last bits.
    entry.tolerance = llvm::StringRef(entry.name).starts_with("narrow") ? 8e-3 : 1e-4;
    bool hasLimits = entry.name == "lengths" || entry.name == "limits_of_queries";
    entry.limit = hasLimits ? 80 : entry.name == "lengths_of_nothing" ? 1 : 2;
    entry.sizes.push_back({{"B", 2}, {"S", 130}, {"T", 33}});
    entry.sizes.push_back({{"B", 1}, {"S", 290}, {"T", 20}}); // more queries than a block has
    entry.sizes.push_back({{"B", 1}, {"S", 20}, {"T", 300}}); // more keys than a stretch has
    entry.sizes.push_back({{"B", 2}, {"S", 1}, {"T", 9}});
    entry.sizes.push_back({{"B", 2}, {"S", 0}, {"T", 9}}); // keys that no query looks at
  }
  // All of them twice, the second time with factors of bf16. Weights and slopes are such.
  for (size_t i = 0, count = all.size(); i < count; ++i)
    all.push_back(withRoundedFactors(all[i], /*tolerance=*/3e-2));
  // Tensors that are bf16 themselves, whose products are exact anyway.
  add(kernelCase("of_bf16", {narrow(q), narrow(k), narrow(v)},
                 forward + axes + narrow(qkvTypes) + " -> T<" + narrow(context) + ">, T<" +
                     normalizer + ">",
                 {narrow(context), normalizer}, {"B", "S", "T"},
                 "input_layouts = [" + qkvLayouts + "], result_layouts = [" + resultLayouts + "]"));
  all.back().tolerance = 8e-3;
  return all;
}
