#include "tests/system/family/Cases.h"

#include "frontend/nn/Masks.h"
#include "frontend/nn/Transformer.h"

using namespace axloom;
using namespace axloom::test;
using nn::Model;

namespace {
struct Batch : Axis<"batch"> {};
struct Query : Axis<"query"> {};
struct Key : Axis<"key"> {};
struct Source : Axis<"source"> {};

constexpr int batch = 2, queries = 5, keys = 6, model = 8, heads = 2, depth = 4, valueDepth = 3,
              hidden = 12;

/// A result of the function, and its share in the loss.
template <AnAxis... As, class Y> Tensor<> give(Function &f, const char *name, const Y &y) {
  f.result<As...>(name, y);
  return sum<As...>(y * y);
}

void leaveGradients(const Program &program, const Tensor<> &loss) {
  std::vector<AnyVariable> parameters = program.parameters();
  std::vector<AnyTensor> gradients = gradient(loss, parameters);
  for (size_t i = 0; i < parameters.size(); ++i)
    assign(parameters[i], gradients[i]);
}

/// The function `f`, whose body gives the loss.
void function(Program &program, const std::function<Tensor<>(Function &)> &body) {
  program.function("f", [&](Function &f) { leaveGradients(program, body(f)); });
}

/// The second sentence is two keys shorter.
template <AnAxis K> Mask<Batch, K> padding(int length) {
  return iota<K>(length) < length - 2 * iota<Batch>(batch);
}

// q: [batch, query, depth], k: [batch, key, depth], v: [batch, key, value depth]
struct Inputs {
  explicit Inputs(Program &program, int width = depth) // of keys
      : q(program.parameter<Batch, Query, nn::Depth>("q", init::zeros(), batch, queries, depth)),
        k(program.parameter<Batch, Key, nn::Depth>("k", init::zeros(), batch, keys, width)),
        v(program.parameter<Batch, Key, nn::ValueDepth>("v", init::zeros(), batch, keys,
                                                        valueDepth)) {}

  auto memory() const { return nn::KeysValues<decltype(k), decltype(v)>{k, v}; }

  Variable<SetOf<Batch, Query, nn::Depth>, float> q;
  Variable<SetOf<Batch, Key, nn::Depth>, float> k;
  Variable<SetOf<Batch, Key, nn::ValueDepth>, float> v;
};

void withWeights(Program &program) {
  Inputs in(program);
  function(program, [&](Function &f) {
    auto visible = padding<Key>(keys) && iota<Key>(keys) <= iota<Query>(queries) + 1;
    auto seen = nn::attentionWithWeights<Key, nn::Depth>(in.q, in.memory(), visible);
    return give<Batch, Query, nn::ValueDepth>(f, "y", seen.output) +
           give<Batch, Query, Key>(f, "weights", seen.weights);
  });
}

/// Dot-product attention with a mask, boolean or additive.
template <class Visible>
void masked(Program &program, Visible visible, const nn::AttentionOptions &options = {}) {
  Inputs in(program);
  function(program, [&](Function &f) {
    return give<Batch, Query, nn::ValueDepth>(
        f, "y", nn::attention<Key, nn::Depth>(in.q, in.memory(), visible(), options));
  });
}

void additiveMask(Program &program) {
  masked(program, [] { return where(padding<Key>(keys), 0.0, -1e9); });
}

void nothingVisible(Program &program) {
  masked(program, [] {
    return padding<Key>(keys) && (iota<Query>(queries) != 0 || iota<Batch>(batch) != 1);
  });
}

void unscaled(Program &program) {
  masked(program, [] { return padding<Key>(keys); }, {.scaled = false});
}

void additiveScores(Program &program, int width) {
  Inputs in(program, width);
  nn::AdditiveScores<nn::Depth, nn::Depth> score(program.scope("score"), depth, width, hidden);
  function(program, [&](Function &f) {
    auto seen = nn::attendByScores<Key>(score(in.q, in.k), in.v, padding<Key>(keys));
    return give<Batch, Query, nn::ValueDepth>(f, "y", seen.output) +
           give<Batch, Query, Key>(f, "weights", seen.weights);
  });
}

auto sentence(Program &program, const char *name = "x") {
  return program.parameter<Batch, Query, Model>(name, init::zeros(), batch, queries, model);
}

void parameterFree(Program &program) {
  auto x = sentence(program);
  function(program, [&](Function &f) {
    return give<Batch, Query, Model>(f, "y",
                                     nn::selfAttention<Query, Key>(x, padding<Key>(queries)));
  });
}

void singleHead(Program &program) {
  auto x = sentence(program);
  nn::SingleHeadAttention<> head(program.scope("head"), {model, depth, valueDepth, true});
  function(program, [&](Function &f) {
    auto y = head.apply<Key>(x, rename<Query, Key>(x), padding<Key>(queries));
    return give<Batch, Query, nn::ValueDepth>(f, "y", y);
  });
}

void headsWithBias(Program &program) {
  auto x = sentence(program);
  nn::MultiHeadAttention<> attention(program.scope("attention"),
                                     {model, heads, depth, valueDepth, true});
  function(program, [&](Function &f) {
    auto seen = attention.attendWithWeights<Key>(x, attention.project(rename<Query, Key>(x)),
                                                 padding<Key>(queries));
    return give<Batch, Query, Model>(f, "y", seen.output) +
           give<Batch, nn::Heads, Query, Key>(f, "weights", seen.weights);
  });
}

void wideHeads(Program &program) {
  auto x = sentence(program);
  nn::MultiHeadAttention<> attention(program.scope("attention"),
                                     nn::MultiHeadAttention<>::Dimensions::wide(model, heads));
  function(program, [&](Function &f) {
    auto memory = attention.project(rename<Query, Key>(x));
    return give<Batch, Query, Model>(f, "y",
                                     attention.attend<Key>(x, memory, padding<Key>(queries)));
  });
}

void crossAttention(Program &program) {
  auto x = sentence(program);
  auto memory = program.parameter<Batch, Key, Model>("memory", init::zeros(), batch, keys, 10);
  nn::MultiHeadAttention<> attention(
      program.scope("attention"), {model, heads, depth, valueDepth, /*bias=*/false, /*memory=*/10});
  function(program, [&](Function &f) {
    auto y = attention.attend<Key>(x, attention.project(memory), padding<Key>(keys));
    return give<Batch, Query, Model>(f, "y", y);
  });
}

void convolutions(Program &program, int taps) {
  auto x = sentence(program);
  nn::FeedForward<> feedForward(program, model, hidden, {.taps = taps});
  function(program, [&](Function &f) {
    return give<Batch, Query, Model>(f, "y", feedForward.along<Query>(x, constant(true)));
  });
}

nn::LayerOptions layer(nn::NormPlacement norm, nn::Activation activation = nn::Activation::Relu) {
  nn::LayerOptions options{model, heads, depth, valueDepth, hidden};
  options.dropout = 0;
  options.norm = norm;
  options.activation = activation;
  return options;
}

void encoderBlock(Program &program, const nn::LayerOptions &options) {
  auto x = sentence(program);
  nn::EncoderLayer<> block(program.scope("block"), options);
  function(program, [&](Function &f) {
    return give<Batch, Query, Model>(f, "y", block.apply<Query, Key>(x, padding<Key>(queries), {}));
  });
}

/// Cross-attention looks at an expression of the encoder's output.
void decoderBlock(Program &program, nn::NormPlacement norm) {
  auto y = sentence(program, "y");
  auto memory =
      program.parameter<Batch, Source, Model>("memory", init::zeros(), batch, keys, model);
  nn::DecoderLayer<> block(program.scope("block"), layer(norm));
  function(program, [&](Function &f) {
    auto own = block.ownMemory(rename<Query, Key>(y));
    auto z = block.apply<Key, Source>(y, own, nn::causal<Query, Key>(queries),
                                      block.crossAttention.project(tanh(memory) * 2),
                                      padding<Source>(keys), {});
    return give<Batch, Query, Model>(f, "y", z);
  });
}
} // namespace

const std::vector<FamilyCase> &test::familyCases() {
  using enum nn::NormPlacement;
  using nn::Activation;
  static const std::vector<FamilyCase> cases = {
      {"with_weights", withWeights},
      {"additive_mask", additiveMask},
      {"nothing_visible", nothingVisible},
      {"unscaled", unscaled},
      {"additive_scores", [](Program &p) { additiveScores(p, depth); }},
      {"parameter_free", parameterFree},
      {"single_head", singleHead},
      {"heads_with_bias", headsWithBias},
      {"wide_heads", wideHeads},
      {"cross_attention", crossAttention},
      {"convolutions_1", [](Program &p) { convolutions(p, 1); }},
      {"convolutions_3", [](Program &p) { convolutions(p, 3); }},
      {"encoder_after", [](Program &p) { encoderBlock(p, layer(After)); }},
      {"encoder_before", [](Program &p) { encoderBlock(p, layer(Before, Activation::Gelu)); }},
      {"encoder_of_sublayer",
       [](Program &p) { encoderBlock(p, layer(OfSublayer, Activation::GeluTanh)); }},
      {"encoder_of_sum_and_back", [](Program &p) { encoderBlock(p, layer(OfSumAndBack)); }},
      {"encoder_convolutions",
       [](Program &p) {
         nn::LayerOptions options = layer(Before);
         options.taps = 3;
         encoderBlock(p, options);
       }},
      {"decoder_after", [](Program &p) { decoderBlock(p, After); }},
      {"decoder_before", [](Program &p) { decoderBlock(p, Before); }},
      {"decoder_of_sublayer", [](Program &p) { decoderBlock(p, OfSublayer); }},
      {"decoder_of_sum_and_back", [](Program &p) { decoderBlock(p, OfSumAndBack); }},
      {"additive_scores_widths", [](Program &p) { additiveScores(p, 10); }},
  };
  return cases;
}
