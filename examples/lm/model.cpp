// A causal language model: the decoder of the Transformer alone, as a program of six functions:
// train_step, evaluate, forward, attention, prefill and decode_step. Defaults are those of GPT-2's
// small model (Radford et al. 2019), or, with family=llama, what Llama changed (Touvron et al.
// 2023): rotary positions, gated SiLU, norms by the root mean square, no biases, no dropout. Adam's
// constants, the schedule, and the scale of GPT-2's embeddings are those of Vaswani et al. 2017.
#include "examples/lm/model.h"

#include "frontend/Axloom.h"
#include "frontend/nn/Cache.h"
#include "frontend/nn/InputEmbedding.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Transformer.h"
#include "frontend/train/Adam.h"
#include "frontend/train/Loss.h"
#include "frontend/train/Schedule.h"

using namespace axloom;
using nn::Model;

namespace lm {
namespace {

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {}; // positions that attention looks at
struct Vocabulary : Axis<"vocabulary"> {};

using Embedding = nn::InputEmbedding<Vocabulary>;

constexpr int padding = 0; // the token that fills short texts up

/// The hyperparameters, each an option.
struct Settings {
  explicit Settings(Options &options)
      : llama(options.choice("family", {"gpt2", "llama"}) == 1),
        layers(options.count("layers", 12)), width(options.count("width", 768)),
        heads(options.count("heads", 12)), keyHeads(options.count("key_heads", heads)),
        depth(options.share("depth", width, heads)), hidden(options.count("hidden", 3072)),
        gated(options.get("gated", llama)), vocabulary(options.count("vocabulary", 50257)),
        tied(options.get("tied", true)), // one table for look-up and projection
        scaled(options.get("scaled", !llama)),
        positions(nn::Positions(options.choice("positions", {"sinusoidal", "learned", "rotary"},
                                               llama ? "rotary" : "learned"))),
        rotaryBase(options.get("rotary_base", 10000.0)),
        dropout(options.fraction("dropout", llama ? 0 : 0.1)),
        attentionDropout(options.fraction("attention_dropout", llama ? 0 : 0.1)),
        attentionBias(options.get("attention_bias", !llama)),
        feedForwardBias(options.get("feed_forward_bias", !llama)),
        normKind(
            nn::NormKind(options.choice("norm_kind", {"layer", "rms"}, llama ? "rms" : "layer"))),
        normEpsilon(options.get("norm_epsilon", 1e-5)),
        norm(nn::NormPlacement(options.choice(
            "norm", {"after", "before", "of_sublayer", "of_sum_and_back"}, "before"))),
        activation(nn::Activation(options.choice(
            "activation", {"relu", "gelu", "gelu_tanh", "silu"}, llama ? "silu" : "gelu_tanh"))),
        warmup(options.count("warmup", 4000)), rateFactor(options.get("rate_factor", 1.0)),
        adam{options.fraction("beta1", 0.9), options.fraction("beta2", 0.98),
             options.get("epsilon", 1e-9)},
        batch(options.count("batch", 512)), length(options.count("length", 1024)) {}

  Embedding::Options embedding() const {
    return {vocabulary, width, length, positions, dropout, scaled};
  }
  nn::LayerOptions layer() const {
    nn::LayerOptions layer{
        width,         heads,       depth, depth,     hidden, dropout, attentionDropout,
        attentionBias, normEpsilon, norm,  activation};
    layer.normKind = normKind;
    layer.gated = gated;
    layer.feedForwardBias = feedForwardBias;
    if (keyHeads != heads)
      layer.keyHeads = keyHeads;
    if (positions == nn::Positions::None)
      layer.rotaryBase = rotaryBase;
    return layer;
  }

  bool llama;
  int layers, width, heads, keyHeads, depth, hidden;
  bool gated;
  int vocabulary;
  bool tied, scaled;
  nn::Positions positions;
  double rotaryBase, dropout, attentionDropout;
  bool attentionBias, feedForwardBias;
  nn::NormKind normKind;
  double normEpsilon;
  nn::NormPlacement norm;
  nn::Activation activation;
  int warmup;
  double rateFactor;
  train::Adam::Constants adam;
  int batch, length; // the most that one call may have
};

/// Keys and values of all positions up to the capacity T, for each layer.
using Caches = std::vector<nn::Cache<Batch, Key>>;

/// Attention weights of each layer, for those who want to look at them.
using Weights = std::vector<Tensor<Batch, nn::Heads, Position, Key>>;

class LanguageModel {
public:
  LanguageModel(Program &program, const Settings &s)
      : settings(s), B(program.size("B", s.batch)), S(program.size("S", s.length)),
        T(program.size("T", s.length)),
        projection(program.scope(s.tied ? "embedding" : "projection"), s.vocabulary, s.width,
                   init::normal(0, 1 / std::sqrt(s.width))),
        embedding(program.scope("embedding"), s.embedding(), s.tied ? &projection : nullptr) {
    for (int i = 0; i < s.layers; ++i)
      layers.emplace_back(program.scope("layer").scope(i), s.layer());
    if (s.norm == nn::NormPlacement::Before) // nothing else normalizes what the stack ends with
      norm.emplace(program.scope("norm"), s.width, s.normKind, s.normEpsilon);
  }

  // x: [..., model] -> [..., vocabulary]
  template <class X> auto logits(const X &x) const {
    return projection.logits(norm ? (*norm)(x) : x);
  }

  // What each position expects to come next, of itself and what is before it. Padding comes last
  // and so needs no mask.
  // tokens: [batch, position] -> [batch, position, vocabulary]
  Tensor<Batch, Position, Vocabulary> operator()(const IntTensor<Batch, Position> &tokens,
                                                 const Randomness &randomness = {},
                                                 Weights *weights = nullptr) const {
    Size length = size<Position>(tokens);
    auto visible = nn::causal<Position, Key>(length);
    auto position = iota<Position>(length);
    Tensor<Batch, Position, Model> x = embedding(tokens, position, randomness);
    for (const auto &layer : layers) {
      auto seen = layer.applyWithWeights<Position, Key>(x, visible, randomness, position);
      if (weights)
        weights->push_back(seen.weights);
      x = seen.output;
    }
    return logits(x);
  }

  // The beginning of a text at once: only its keys and values count. Where texts are shorter than
  // the longest, what their padding leaves in the caches is never seen: each later token is put
  // over it.
  // tokens: [batch, position]
  void prefill(const IntTensor<Batch, Position> &tokens, const Caches &caches) const {
    Size length = size<Position>(tokens);
    auto visible = nn::causal<Position, Key>(length);
    auto place = iota<Key>(T);
    auto inside = where(place < length, place, 0);
    auto position = iota<Position>(length);
    Tensor<Batch, Position, Model> x = embedding(tokens, position, {});
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto own = layers[i].ownMemory(x, position); // keys and values of the axis Position
      auto keys = gather<Position>(own.keys, inside);
      auto values = gather<Position>(own.values, inside);
      caches[i].store(nn::KeysValues<decltype(keys), decltype(values)>{keys, values});
      x = layers[i].apply<Position, Key>(x, visible, {}, position);
    }
  }

  // One more token of each text; its keys and values join those of the positions before it.
  // token: [batch], position: [batch] -> [batch, vocabulary]
  Tensor<Batch, Vocabulary> step(const IntTensor<Batch> &token, const IntTensor<Batch> &position,
                                 const Caches &caches) const {
    Mask<Batch, Key> visible = iota<Key>(T) <= position;
    Tensor<Batch, Model> x = embedding(token, position, {});
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto own = caches[i].put(position, layers[i].ownMemory(x, position));
      x = layers[i].step<Key>(x, own, visible, position);
    }
    return logits(x);
  }

  const Settings &settings;
  Size B, S, T; // texts and positions of a call, and positions that a session has room for

private:
  nn::Embedding<Vocabulary, Model> projection;
  Embedding embedding;
  std::vector<nn::EncoderLayer<>> layers;
  std::optional<nn::Normalization<Model>> norm;
};

/// What training and evaluation look at: tokens_out is the text of tokens_in one position later.
struct Texts {
  Texts(Function &f, const LanguageModel &model)
      : in(f.argument<int, Batch, Position>("tokens_in", model.B, model.S)),
        out(f.argument<int, Batch, Position>("tokens_out", model.B, model.S)) {}

  // logits: [batch, position, vocabulary]
  train::TokenLoss loss(const Tensor<Batch, Position, Vocabulary> &logits) const {
    return train::tokenLoss<Vocabulary, Batch, Position>(logits, out, nn::real(out, padding));
  }

  IntTensor<Batch, Position> in, out;
};

void addTraining(Program &program, const LanguageModel &model) {
  const Settings &s = model.settings;
  train::Adam adam(program.scope("adam"), program.parameters(), s.adam);
  program.function("train_step", [&](Function &f) {
    Texts texts(f, model);
    Randomness randomness(f.argument<int>("seed"), adam.stepsDone());

    auto loss = texts.loss(model(texts.in, randomness));
    auto mean = loss.mean();
    adam.minimize(mean, train::warmup(adam.stepsDone(), s.width, s.warmup, s.rateFactor));

    f.result("loss", mean);
    f.result("tokens", loss.tokens);
  });
}

/// The sum of the cross entropy, for perplexity.
void addEvaluation(Program &program, const LanguageModel &model) {
  program.function("evaluate", [&](Function &f) {
    Texts texts(f, model);
    auto loss = texts.loss(model(texts.in));
    f.result("loss", loss.sum);
    f.result("tokens", loss.tokens);
  });
}

/// All logits at once.
void addForward(Program &program, const LanguageModel &model) {
  program.function("forward", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens_in", model.B, model.S);
    f.result<Batch, Position, Vocabulary>("logits", model(tokens));
  });
}

/// What each head of each layer looks at, for pictures.
void addAttention(Program &program, const LanguageModel &model) {
  program.function("attention", [&](Function &f) {
    Weights weights;
    model(f.argument<int, Batch, Position>("tokens", model.B, model.S), {}, &weights);
    for (std::size_t i = 0; i < weights.size(); ++i)
      f.result<Batch, nn::Heads, Position, Key>("layer." + std::to_string(i), weights[i]);
  });
}

/// Generation: prefill for what is there already, then decode_step for each token. What a step
/// needs of earlier positions lies in the caller's session.
void addDecoding(Program &program, const LanguageModel &model) {
  const Settings &s = model.settings;
  Caches caches;
  for (int i = 0; i < s.layers; ++i)
    caches.push_back(
        {program.scope("session").scope(i), {model.B, s.keyHeads, model.T, s.depth, s.depth}});

  program.function("prefill", [&](Function &f) {
    model.prefill(f.argument<int, Batch, Position>("tokens_in", model.B, model.S), caches);
  });

  program.function("decode_step", [&](Function &f) {
    auto token = f.argument<int, Batch>("token", model.B);
    auto position = f.argument<int, Batch>("position", model.B);
    f.result<Batch, Vocabulary>("logits", model.step(token, position, caches));
  });
}

} // namespace

void build(Program &program, Options &options) {
  Settings settings(options);
  LanguageModel model(program, settings);
  addTraining(program, model);
  addEvaluation(program, model);
  addForward(program, model);
  addAttention(program, model);
  addDecoding(program, model);
}

} // namespace lm
