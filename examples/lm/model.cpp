// A causal language model: the decoder of the Transformer alone, as in GPT-2 (Radford et al. 2019),
// as a program of six functions: train_step, evaluate, forward, attention, prefill and decode_step.
// Sizes, norms, activation and dropout are by default those of GPT-2's small model; the scale of
// embeddings, Adam's constants and the schedule those of Vaswani et al. 2017.
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
      : layers(options.count("layers", 12)), width(options.count("width", 768)),
        heads(options.count("heads", 12)), depth(options.share("depth", width, heads)),
        hidden(options.count("hidden", 3072)), vocabulary(options.count("vocabulary", 50257)),
        tied(options.get("tied", true)), // one table for look-up and projection
        learnedPositions(options.choice("positions", {"learned", "sinusoidal"}) == 0),
        dropout(options.fraction("dropout", 0.1)),
        attentionDropout(options.fraction("attention_dropout", 0.1)),
        attentionBias(options.get("attention_bias", true)),
        normEpsilon(options.get("norm_epsilon", 1e-5)),
        norm(placements[options.choice("norm",
                                       {"before", "after", "of_sublayer", "of_sum_and_back"})]),
        activation(activations[options.choice("activation", {"gelu_tanh", "gelu", "relu"})]),
        warmup(options.count("warmup", 4000)), rateFactor(options.get("rate_factor", 1.0)),
        adam{options.fraction("beta1", 0.9), options.fraction("beta2", 0.98),
             options.get("epsilon", 1e-9)},
        batch(options.count("batch", 512)), length(options.count("length", 1024)) {}

  Embedding::Options embedding() const {
    return {vocabulary, width, length, learnedPositions, dropout};
  }
  nn::LayerOptions layer() const {
    return {width,         heads,       depth, depth,     hidden, dropout, attentionDropout,
            attentionBias, normEpsilon, norm,  activation};
  }

  static constexpr nn::NormPlacement placements[] = {
      nn::NormPlacement::Before, nn::NormPlacement::After, nn::NormPlacement::OfSublayer,
      nn::NormPlacement::OfSumAndBack};
  static constexpr nn::Activation activations[] = {nn::Activation::GeluTanh, nn::Activation::Gelu,
                                                   nn::Activation::Relu};

  int layers, width, heads, depth, hidden, vocabulary;
  bool tied, learnedPositions;
  double dropout, attentionDropout;
  bool attentionBias;
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
      norm.emplace(program.scope("norm"), s.width, s.normEpsilon);
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
    auto visible = nn::causal<Position, Key>(size<Position>(tokens));
    Tensor<Batch, Position, Model> x = embed(tokens, randomness);
    for (const auto &layer : layers) {
      auto seen = layer.applyWithWeights<Position, Key>(x, visible, randomness);
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
    Tensor<Batch, Position, Model> x = embed(tokens, {});
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto own = layers[i].ownMemory(x); // keys and values of the axis Position
      auto keys = gather<Position>(own.keys, inside);
      auto values = gather<Position>(own.values, inside);
      caches[i].store(nn::KeysValues<decltype(keys), decltype(values)>{keys, values});
      x = layers[i].apply<Position, Key>(x, visible, {});
    }
  }

  // One more token of each text; its keys and values join those of the positions before it.
  // token: [batch], position: [batch] -> [batch, vocabulary]
  Tensor<Batch, Vocabulary> step(const IntTensor<Batch> &token, const IntTensor<Batch> &position,
                                 const Caches &caches) const {
    Mask<Batch, Key> visible = iota<Key>(T) <= position;
    Tensor<Batch, Model> x = embedding(token, position, {});
    for (std::size_t i = 0; i < layers.size(); ++i) {
      auto own = caches[i].put(position, layers[i].ownMemory(x));
      x = layers[i].step<Key>(x, own, visible);
    }
    return logits(x);
  }

  const Settings &settings;
  Size B, S, T; // texts and positions of a call, and positions that a session has room for

private:
  Tensor<Batch, Position, Model> embed(const IntTensor<Batch, Position> &tokens,
                                       const Randomness &randomness) const {
    return embedding(tokens, iota<Position>(size<Position>(tokens)), randomness);
  }

  nn::Embedding<Vocabulary, Model> projection;
  Embedding embedding;
  std::vector<nn::EncoderLayer<>> layers;
  std::optional<nn::LayerNorm<Model>> norm;
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
        {program.scope("session").scope(i), {model.B, s.heads, model.T, s.depth, s.depth}});

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
