// Cases of the composites.

#include "tests/support/OpCases.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

using Results = SmallVector<Value>;

static void addSoftmax(std::vector<OpCase> &cases) {
  constexpr const char *scores = "batch: B, heads: 2, key: S, query: T, f32";
  auto softmax = [](CaseBuilder &b, ValueRange x) -> Results {
    return b.op<ir::SoftmaxOp>(x[0], x.size() > 1 ? x[1] : Value(), "key");
  };
  cases.push_back({"softmax", "rows", {{scores}}, softmax});
  cases.push_back(
      {"softmax", "padding mask", {{scores}, {"batch: B, key: S, i1", mask()}}, softmax});
  cases.push_back(
      {"softmax", "mask of each query", {{scores}, {"key: S, query: T, i1", mask(0.3)}}, softmax});
  cases.push_back(
      {"softmax", "nothing visible", {{scores}, {"batch: B, key: S, i1", mask(0)}}, softmax});
  cases.push_back({"softmax",
                   "mask of more axes",
                   {{"key: S, f32"}, {"batch: B, key: S, i1", mask()}},
                   softmax});
  cases.push_back({"softmax", "of f64", {{"batch: B, key: S, query: T, f64"}}, softmax});
  cases.push_back({"softmax", "very low scores", {{scores, uniform(-2e31, -1e31)}}, softmax});
  cases.push_back(
      {"softmax", "ragged keys", {{"batch: B, key: S[batch], query: T, f32"}}, softmax});
}

static void addLayerNorm(std::vector<OpCase> &cases) {
  constexpr const char *tokens = "batch: B, model: 9, position: S, f32";
  auto norm = [](CaseBuilder &b, Value x, Value scale, Value offset) -> Results {
    return {b.op<ir::LayerNormOp>(x, scale, offset, "model", b.number(1e-5))[0]};
  };
  cases.push_back({"layer_norm",
                   "affine",
                   {{tokens}, {"model: 9, f32"}, {"model: 9, f32"}},
                   [=](CaseBuilder &b, ValueRange x) { return norm(b, x[0], x[1], x[2]); }});
  cases.push_back({"layer_norm", "plain", {{tokens}}, [=](CaseBuilder &b, ValueRange x) {
                     return norm(b, x[0], {}, {});
                   }});
  cases.push_back({"layer_norm",
                   "scale only",
                   {{tokens}, {"model: 9, f32"}},
                   [=](CaseBuilder &b, ValueRange x) { return norm(b, x[0], x[1], {}); }});
  cases.push_back(
      {"layer_norm",
       "ragged tokens",
       {{"batch: B, model: 9, position: S[batch], f32"}, {"model: 9, f32"}, {"model: 9, f32"}},
       [=](CaseBuilder &b, ValueRange x) { return norm(b, x[0], x[1], x[2]); }});
  cases.push_back({"layer_norm",
                   "of one element",
                   {{"model: 1, f32"}},
                   [=](CaseBuilder &b, ValueRange x) -> Results {
                     Value y = norm(b, x[0], x[0], x[0])[0];
                     Value p = b.op<ir::SoftmaxOp>(y, Value(), "model")[0];
                     return b.op<ir::TanhOp>(p);
                   }});
  cases.push_back(
      {"layer_norm",
       "along ragged positions",
       {{"batch: B, model: 3, position: S[batch], f32"}},
       [](CaseBuilder &b, ValueRange x) -> Results {
         return {b.op<ir::LayerNormOp>(x[0], Value(), Value(), "position", b.number(1e-2))[0]};
       }});
  cases.push_back({"layer_norm",
                   "with its statistics",
                   {{tokens}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return b.op<ir::LayerNormOp>(x[0], Value(), Value(), "model", b.number(1e-5));
                   }});
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
constexpr const char *queries = "batch: B, depth: 5, heads: 2, query: T, f32";
constexpr const char *keys = "batch: B, depth: 5, heads: 2, key: S, f32";
constexpr const char *values = "batch: B, heads: 2, key: S, value: 3, f32";
constexpr double attentionScale = 0.4;

/// Which of the optional operands an attention case has.
struct Extras {
  const char *bias = nullptr, *mask = nullptr, *keep = nullptr;
  Fill maskFill = test::mask();
  bool log2sumexp = false;
};
} // namespace

/// Splits the arguments after q, k, v into bias, mask and keep.
static std::array<Value, 3> optionalOperands(const Extras &extras, ValueRange x) {
  std::array<Value, 3> found;
  unsigned next = 3;
  const char *types[] = {extras.bias, extras.mask, extras.keep};
  for (auto [type, operand] : llvm::zip_equal(types, found))
    operand = type ? x[next++] : Value();
  return found;
}

static std::vector<Argument> attentionArguments(std::vector<Argument> qkv, const Extras &extras) {
  if (extras.bias)
    qkv.push_back({extras.bias});
  if (extras.mask)
    qkv.push_back({extras.mask, extras.maskFill});
  if (extras.keep)
    qkv.push_back({extras.keep, uniform(0, 2)});
  return qkv;
}

static void addAttention(std::vector<OpCase> &cases) {
  auto attention = [&](const char *name, std::vector<Argument> qkv, Extras extras) {
    OpCase made{"attention", name, attentionArguments(std::move(qkv), extras),
                [=](CaseBuilder &b, ValueRange x) -> Results {
                  auto [bias, mask, keep] = optionalOperands(extras, x);
                  ValueRange all =
                      b.op<ir::AttentionOp>(x[0], x[1], x[2], bias, mask, keep, "depth", "key",
                                            b.number(attentionScale), TypeAttr());
                  return extras.log2sumexp ? Results(all) : Results{all[0]};
                }};
    made.differentiable = !extras.log2sumexp; // which is for the backward pass alone
    cases.push_back(made);
  };
  std::vector<Argument> qkv = {{queries}, {keys}, {values}};
  attention("plain", qkv, {});
  attention("padding mask", qkv, {.mask = "batch: B, key: S, i1"});
  attention("causal-like mask", qkv, {.mask = "key: S, query: T, i1"});
  attention("nothing visible", qkv, {.mask = "batch: B, key: S, i1", .maskFill = mask(0)});
  attention("dropout", qkv, {.keep = "batch: B, heads: 2, key: S, query: T, f32"});
  attention("mask and dropout", qkv,
            {.mask = "batch: B, key: S, query: T, i1",
             .keep = "batch: B, heads: 2, key: S, query: T, f32"});
  attention("with its log2sumexp", qkv, {.mask = "batch: B, key: S, i1", .log2sumexp = true});
  attention("bias", qkv, {.bias = "heads: 2, key: S, query: T, f32"});
  attention("bias, mask and dropout", qkv,
            {.bias = "heads: 2, key: S, query: T, f32",
             .mask = "batch: B, key: S, i1",
             .keep = "batch: B, heads: 2, key: S, query: T, f32"});
  attention("values named depth", {{queries}, {keys}, {keys}}, {});
  attention("values of another depth",
            {{queries}, {keys}, {"batch: B, depth: 32, heads: 2, key: S, f32"}}, {});
  attention("shared keys of all heads",
            {{queries}, {"batch: B, depth: 5, key: S, f32"}, {"batch: B, key: S, value: 3, f32"}},
            {.mask = "batch: B, key: S, i1"});
  attention("keys of all batch entries, values of each",
            {{queries}, {"depth: 5, key: S, f32"}, {"batch: B, key: S, value: 3, f32"}}, {});
  attention("keys of each batch entry, values of all",
            {{queries}, {keys}, {"key: S, value: 3, f32"}}, {});
  attention("one query", {{"batch: B, depth: 5, heads: 2, f32"}, {keys}, {values}},
            {.mask = "batch: B, key: S, i1"});
  attention("one query of all heads", {{"batch: B, depth: 5, f32"}, {keys}, {values}}, {});
  attention("ragged keys",
            {{"batch: B, depth: 5, heads: 2, query: S[batch], f32"},
             {"batch: B, depth: 5, heads: 2, key: S[batch], f32"},
             {"batch: B, heads: 2, key: S[batch], value: 3, f32"}},
            {});
  attention("one query of ragged keys",
            {{"batch: B, depth: 5, heads: 2, f32"},
             {"batch: B, depth: 5, heads: 2, key: S[batch], f32"},
             {"batch: B, heads: 2, key: S[batch], value: 3, f32"}},
            {.mask = "batch: B, key: S[batch], i1"});
  std::vector<Argument> raggedBoth = {{"batch: B, depth: 16, heads: 2, query: S[batch], f32"},
                                      {"batch: B, depth: 16, heads: 2, key: S[batch], f32"},
                                      {"batch: B, heads: 2, key: S[batch], value: 16, f32"}};
  attention("ragged queries and keys", raggedBoth, {});
  attention("ragged queries, keys and mask", raggedBoth,
            {.mask = "batch: B, key: S[batch], query: S[batch], i1"});
  attention(
      "ragged queries of the same keys",
      {raggedBoth[0], {"depth: 16, heads: 2, key: S, f32"}, {"heads: 2, key: S, value: 16, f32"}},
      {});
}

/// Attention as a graph of smaller ops, with distances times a slope for each head as its bias.
static void addSlopes(std::vector<OpCase> &cases) {
  cases.push_back({"softmax",
                   "of scores less distances times slopes",
                   {{queries}, {keys}, {values}, {"heads: 2, f32"}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     Value key = b.op<ir::IotaOp>("key", b.size("S"), ir::SizeAttr())[0];
                     Value query = b.op<ir::IotaOp>("query", b.size("T"), ir::SizeAttr())[0];
                     Value distance = b.op<ir::SubOp>(query, key)[0];
                     Value number = b.op<ir::CastOp>(distance, b.builder.getF32Type())[0];
                     Value small = b.op<ir::MulOp>(number, b.constant(0.01))[0]; // as slopes are
                     Value bias = b.op<ir::MulOp>(small, x[3])[0];
                     Value product = b.op<ir::ContractOp>(x[0], x[1], b.axes({"depth"}))[0];
                     Value scores = b.op<ir::SubOp>(product, bias)[0];
                     Value weights = b.op<ir::SoftmaxOp>(scores, Value(), "key")[0];
                     return b.op<ir::ContractOp>(weights, x[2], b.axes({"key"}));
                   }});
}

/// Attention as a graph of smaller ops, in which heads share their keys and values.
static void addGroupedAttention(std::vector<OpCase> &cases) {
  auto grouped = [&](const char *name, const char *queriesOfGroups, auto mask) {
    cases.push_back({"softmax",
                     std::string("of scores of heads in groups, ") + name,
                     {{queriesOfGroups}, {keys}, {values}},
                     [=](CaseBuilder &b, ValueRange x) -> Results {
                       Value scores = b.op<ir::ContractOp>(x[0], x[1], b.axes({"depth"}))[0];
                       Value weights = b.op<ir::SoftmaxOp>(scores, mask(b), "key")[0];
                       return b.op<ir::ContractOp>(weights, x[2], b.axes({"key"}));
                     }});
  };
  auto all = [](CaseBuilder &) { return Value(); };
  grouped("all visible", "batch: B, depth: 5, heads: 2, member: 3, query: T, f32", all);
  grouped("one query", "batch: B, depth: 5, heads: 2, member: 3, f32", all);
  grouped("a prefix visible", "batch: B, depth: 5, heads: 2, member: 3, f32", [](CaseBuilder &b) {
    Value place = b.op<ir::IotaOp>("key", b.size("S"), ir::SizeAttr())[0];
    Value last = b.op<ir::ConstantOp>(b.builder.getI32IntegerAttr(1))[0];
    return b.op<ir::CompareOp>("le", place, last)[0];
  });
}

static void addAttentionGradient(std::vector<OpCase> &cases) {
  auto gradient = [&](const char *name, Extras extras) {
    std::vector<Argument> arguments = attentionArguments({{queries}, {keys}, {values}}, extras);
    arguments.push_back({"batch: B, heads: 2, query: T, value: 3, f32"});
    OpCase made{
        "attention_gradient", name, arguments, [=](CaseBuilder &b, ValueRange x) -> Results {
          auto [bias, mask, keep] = optionalOperands(extras, x);
          ValueRange forward = b.op<ir::AttentionOp>(x[0], x[1], x[2], bias, mask, keep, "depth",
                                                     "key", b.number(attentionScale), TypeAttr());
          return b.op<ir::AttentionGradientOp>(x[0], x[1], x[2], bias, mask, keep, forward[0],
                                               forward[1], x.back(), "depth", "key",
                                               b.number(attentionScale), TypeAttr());
        }};
    made.differentiable = false; // there are no second derivatives
    cases.push_back(made);
  };
  gradient("plain", {});
  gradient("padding mask", {.mask = "batch: B, key: S, i1"});
  gradient("mask and dropout", {.mask = "batch: B, key: S, query: T, i1",
                                .keep = "batch: B, heads: 2, key: S, query: T, f32"});
  gradient("bias", {.bias = "key: S, query: T, f32"});
}

static void addCrossEntropy(std::vector<OpCase> &cases) {
  for (double smoothing : {0.0, 0.1}) {
    std::string suffix = smoothing == 0 ? "" : ", smoothed";
    cases.push_back({"cross_entropy",
                     "tokens" + suffix,
                     {{"batch: B, classes: 11, position: S, f32"},
                      {"batch: B, position: S, i32", integers(0, 11)}},
                     [=](CaseBuilder &b, ValueRange x) -> Results {
                       return b.op<ir::CrossEntropyOp>(x[0], x[1], "classes", b.number(smoothing));
                     }});
    for (bool unitGradients : {false, true}) {
      OpCase linear{"linear_cross_entropy",
                    (unitGradients ? "unit gradients" : "loss") + suffix,
                    {{"batch: B, model: 6, position: S, f32"},
                     {"classes: 11, model: 6, f32"},
                     {"batch: B, position: S, i32", integers(0, 11)},
                     {"batch: B, position: S, f32", uniform(0, 1)}},
                    [=](CaseBuilder &b, ValueRange x) -> Results {
                      ValueRange all =
                          b.op<ir::LinearCrossEntropyOp>(x[0], x[1], x[2], x[3], "model", "classes",
                                                         b.number(smoothing), TypeAttr());
                      return unitGradients ? Results(all) : Results{all[0]};
                    }};
      linear.differentiable = !unitGradients; // there are no second derivatives
      cases.push_back(linear);
    }
  }
}

/// Labels and weights may lack axes of the tokens.
static void addBroadcastLosses(std::vector<OpCase> &cases) {
  cases.push_back(
      {"cross_entropy",
       "one label a batch entry",
       {{"batch: B, classes: 11, position: S, f32"}, {"batch: B, i32", integers(0, 11)}},
       [](CaseBuilder &b, ValueRange x) -> Results {
         return b.op<ir::CrossEntropyOp>(x[0], x[1], "classes", b.number(0.1));
       }});
  cases.push_back({"linear_cross_entropy",
                   "one label and weight for all",
                   {{"batch: B, model: 6, f32"},
                    {"classes: 11, model: 6, f32"},
                    {"i32", integers(0, 11)},
                    {"f32", uniform(0, 1)}},
                   [](CaseBuilder &b, ValueRange x) -> Results {
                     return {b.op<ir::LinearCrossEntropyOp>(
                         x[0], x[1], x[2], x[3], "model", "classes", b.number(0.1), TypeAttr())[0]};
                   }});
}

void test::addCompositeCases(std::vector<OpCase> &cases) {
  addSoftmax(cases);
  addLayerNorm(cases);
  addAttention(cases);
  addSlopes(cases);
  addGroupedAttention(cases);
  addAttentionGradient(cases);
  addCrossEntropy(cases);
  addBroadcastLosses(cases);
}
