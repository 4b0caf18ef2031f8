// The Transformer of "Attention Is All You Need" (Vaswani et al. 2017), as a program of seven
// functions: train_step, evaluate, encode, decode_step, reorder, forward and attention. Numbers in
// parentheses are the paper's sections and equations; every default is the paper's base model.
#include "examples/translate/model.h"

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

namespace translate {
namespace {

struct Batch : Axis<"batch"> {};
struct Source : Axis<"source"> {}; // positions of the source sentence
struct Target : Axis<"target"> {}; // positions of the translation
struct Key : Axis<"key"> {};       // positions that self-attention looks at
struct Vocabulary : Axis<"vocabulary"> {};

using Embedding = nn::InputEmbedding<Vocabulary>;

constexpr int padding = 0; // the token that fills short sentences up

/// The hyperparameters, each an option (table 3, base).
struct Settings {
  explicit Settings(Options &options)
      : layers(options.count("layers", 6)),                                             // N
        width(options.count("width", 512)),                                             // d_model
        heads(options.count("heads", 8)),                                               // h
        depth(options.share("depth", width, heads)),                                    // d_k
        valueDepth(options.share("value_depth", width, heads)),                         // d_v
        hidden(options.count("hidden", width * options.count("hidden_multiplier", 4))), // d_ff
        taps(options.count("taps", 1)), // of the encoder's d_ff as convolutions (3.3)
        vocabulary(options.count("vocabulary", 37000)), // of both languages together (5.1)
        shared(options.get("shared", true)),            // one table for all embeddings (3.4)
        positions(nn::Positions(options.choice("positions", {"sinusoidal", "learned"}))), // (3.5)
        dropout(options.fraction("dropout", 0.1)), // P_drop (5.4)
        attentionDropout(options.fraction("attention_dropout", 0.0)),
        attentionBias(options.get("attention_bias", false)),
        normEpsilon(options.get("norm_epsilon", 1e-5)),
        norm(nn::NormPlacement(options.choice(
            "norm", {"after", "before", "of_sublayer", "of_sum_and_back"}))), // (3.1)
        activation(nn::Activation(options.choice("activation", {"relu", "gelu", "gelu_tanh"}))),
        smoothing(options.fraction("smoothing", 0.1)), // epsilon_ls (5.4)
        warmup(options.count("warmup", 4000)),         // warmup_steps (5.3)
        rateFactor(options.get("rate_factor", 1.0)),
        // (5.3)
        adam{options.fraction("beta1", 0.9), options.fraction("beta2", 0.98),
             options.get("epsilon", 1e-9)},
        batch(options.count("batch", 512)), length(options.count("length", 512)),
        packed(options.get("packed", false)) {}

  Embedding::Options embedding() const { return {vocabulary, width, length, positions, dropout}; }
  nn::LayerOptions decoderLayer() const {
    return {width,         heads,       depth, valueDepth, hidden, dropout, attentionDropout,
            attentionBias, normEpsilon, norm,  activation};
  }
  nn::LayerOptions encoderLayer() const {
    nn::LayerOptions layer = decoderLayer();
    layer.taps = taps;
    return layer;
  }

  int layers, width, heads, depth, valueDepth, hidden, taps, vocabulary;
  bool shared;
  nn::Positions positions;
  double dropout, attentionDropout;
  bool attentionBias;
  double normEpsilon;
  nn::NormPlacement norm;
  nn::Activation activation;
  double smoothing;
  int warmup;
  double rateFactor;
  train::Adam::Constants adam;
  int batch, length; // the most that one call may have
  bool packed;       // training and validation take sentences one after the other, unpadded
};

/// Attention weights of each layer, for those who want to look at them.
struct Weights {
  std::vector<Tensor<Batch, nn::Heads, Source, Key>> encoder;
  std::vector<Tensor<Batch, nn::Heads, Target, Key>> decoder;
  std::vector<Tensor<Batch, nn::Heads, Target, Source>> cross;
};

class Transformer {
public:
  Transformer(Program &program, const Settings &s)
      : settings(s), B(program.size("B", s.batch)), S(program.size("S", s.length)),
        T(program.size("T", s.length)),
        // Weights shared with the two embeddings, or of its own (3.4).
        projection(program.scope(s.shared ? "embedding" : "projection"), s.vocabulary, s.width,
                   init::normal(0, 1 / std::sqrt(s.width))),
        sourceEmbedding(program.scope("encoder.embedding"), s.embedding(),
                        s.shared ? &projection : nullptr),
        targetEmbedding(program.scope("decoder.embedding"), s.embedding(),
                        s.shared ? &projection : nullptr) {
    for (int i = 0; i < s.layers; ++i) {
      encoder.emplace_back(program.scope("encoder").scope(i), s.encoderLayer());
      decoder.emplace_back(program.scope("decoder").scope(i), s.decoderLayer());
    }
    if (s.norm == nn::NormPlacement::Before) { // nothing else normalizes what a stack ends with
      encoderNorm.emplace(program.scope("encoder.norm"), s.width, s.normEpsilon);
      decoderNorm.emplace(program.scope("decoder.norm"), s.width, s.normEpsilon);
    }
  }

  // A stack of N layers of self-attention and feed-forward network (3.1).
  // source: [batch, source] -> [batch, source, model]
  Tensor<Batch, Source, Model> encode(const IntTensor<Batch, Source> &source,
                                      const Randomness &randomness = {},
                                      Weights *weights = nullptr) const {
    Mask<Batch, Key> visible = nn::real(rename<Source, Key>(source), padding);
    Tensor<Batch, Source, Model> x = embed<Source>(sourceEmbedding, source, randomness);
    for (const auto &layer : encoder) {
      auto seen = layer.applyWithWeights<Source, Key>(x, visible, randomness);
      x = seen.output;
      if (weights)
        weights->encoder.emplace_back(seen.weights);
    }
    return encoderNorm ? (*encoderNorm)(x) : x;
  }

  // A stack of N layers that see the target up to each position, and all of the source
  // (3.1, 3.2.3). memory: [batch, source, model], target: [batch, target] -> [batch, target, model]
  Tensor<Batch, Target, Model> decode(const Tensor<Batch, Source, Model> &memory,
                                      const IntTensor<Batch, Source> &source,
                                      const IntTensor<Batch, Target> &target,
                                      const Randomness &randomness = {},
                                      Weights *weights = nullptr) const {
    Mask<Batch, Target, Key> visible = past(target);
    auto sourceVisible = nn::real(source, padding);
    Tensor<Batch, Target, Model> y = embed<Target>(targetEmbedding, target, randomness);
    for (const auto &layer : decoder) {
      auto seen = layer.applyWithWeights<Key, Source>(y, layer.ownMemory(rename<Target, Key>(y)),
                                                      visible, layer.crossAttention.project(memory),
                                                      sourceVisible, randomness);
      y = seen.output;
      if (weights) {
        weights->decoder.emplace_back(seen.ownWeights);
        weights->cross.emplace_back(seen.crossWeights);
      }
    }
    return decoderNorm ? (*decoderNorm)(y) : y;
  }

  // The linear transformation before the softmax (3.4). x: [..., model] -> [..., vocabulary]
  template <class X> auto logits(const X &x) const { return projection.logits(x); }

  // [batch, source], [batch, target] -> [batch, target, vocabulary]
  Tensor<Batch, Target, Vocabulary> operator()(const IntTensor<Batch, Source> &source,
                                               const IntTensor<Batch, Target> &target,
                                               const Randomness &randomness = {}) const {
    return logits(decode(encode(source, randomness), source, target, randomness));
  }

  /// Of the sentences that training and validation take: all `longest`, or each its own.
  Size lengths(const Size &longest) const {
    return settings.packed ? longest.raggedOver<Batch>() : longest;
  }

  const Settings &settings;
  Size B, S, T; // sentences, source positions and target positions of a call

private:
  // Tokens as vectors. Each sentence of a packed batch begins at place 0.
  //  tokens: [batch, A] -> [batch, A, model]
  template <AnAxis A>
  Tensor<Batch, A, Model> embed(const Embedding &embedding, const IntTensor<Batch, A> &tokens,
                                const Randomness &randomness) const {
    Size length = size<A>(tokens);
    if (length.ragged().empty())
      return embedding(tokens, iota<A>(length), randomness);
    return embedding(tokens, iota<A, Batch>(length, size<Batch>(tokens)), randomness);
  }

  // What each position of the target may see of it: itself and what is before, without padding.
  //  target: [batch, target] -> [batch, target, key]
  static Mask<Batch, Target, Key> past(const IntTensor<Batch, Target> &target) {
    Size length = size<Target>(target);
    if (length.ragged().empty())
      return nn::causal<Target, Key>(length) && nn::real(rename<Target, Key>(target), padding);
    auto place = iota<Target, Batch>(length, size<Batch>(target));
    return rename<Target, Key>(place) <= place;
  }

  nn::Embedding<Vocabulary, Model> projection;
  Embedding sourceEmbedding, targetEmbedding;
  std::optional<nn::LayerNorm<Model>> encoderNorm, decoderNorm;

public:
  std::vector<nn::EncoderLayer<>> encoder;
  std::vector<nn::DecoderLayer<>> decoder;

  /// One position of the target; its keys and values join those of the positions before it.
  //  token: [batch], position: a scalar -> [batch, vocabulary]
  template <class Caches, class Memories>
  Tensor<Batch, Vocabulary> step(const IntTensor<Batch> &token, const IntTensor<> &position,
                                 const Caches &caches, const Memories &memories,
                                 const Mask<Batch, Source> &sourceVisible) const {
    Mask<Key> visible = iota<Key>(T) <= position;
    Tensor<Batch, Model> y = targetEmbedding(token, position, {});
    for (std::size_t i = 0; i < decoder.size(); ++i) {
      auto own = caches[i].put(position, decoder[i].ownMemory(y));
      y = decoder[i].template apply<Key, Source>(y, own, visible, memories[i].load(), sourceVisible,
                                                 {});
    }
    return logits(decoderNorm ? (*decoderNorm)(y) : y);
  }
};

/// The arguments that training and evaluation share. target_in starts with the begin token and
/// target_out is the same sentence one position earlier, so that each position predicts the next.
struct Sentences {
  Sentences(Function &f, const Transformer &model)
      : source(f.argument<int, Batch, Source>("source", model.B, model.lengths(model.S))),
        targetIn(f.argument<int, Batch, Target>("target_in", model.B, model.lengths(model.T))),
        targetOut(f.argument<int, Batch, Target>("target_out", model.B, model.lengths(model.T))) {}

  // logits: [batch, target, vocabulary]
  train::TokenLoss loss(const Tensor<Batch, Target, Vocabulary> &logits, double smoothing) const {
    return train::tokenLoss<Vocabulary, Batch, Target>(logits, targetOut,
                                                       nn::real(targetOut, padding), smoothing);
  }

  IntTensor<Batch, Source> source;
  IntTensor<Batch, Target> targetIn, targetOut;
};

/// One step of Adam with the warmup schedule (5.3) against the label-smoothed loss (5.4).
void addTraining(Program &program, const Transformer &model) {
  const Settings &s = model.settings;
  train::Adam adam(program.scope("adam"), program.parameters(), s.adam);
  program.function("train_step", [&](Function &f) {
    Sentences batch(f, model);
    Randomness randomness(f.argument<int>("seed"), adam.stepsDone());

    auto loss = batch.loss(model(batch.source, batch.targetIn, randomness), s.smoothing);
    auto mean = loss.mean();
    adam.minimize(mean, train::warmup(adam.stepsDone(), s.width, s.warmup, s.rateFactor));

    f.result("loss", mean);
    f.result("tokens", loss.tokens);
  });
}

/// The sum of the plain cross entropy, for perplexity.
void addEvaluation(Program &program, const Transformer &model) {
  program.function("evaluate", [&](Function &f) {
    Sentences batch(f, model);
    auto loss = batch.loss(model(batch.source, batch.targetIn), 0);
    f.result("loss", loss.sum);
    f.result("tokens", loss.tokens);
  });
}

/// All logits at once.
void addForward(Program &program, const Transformer &model) {
  program.function("forward", [&](Function &f) {
    auto source = f.argument<int, Batch, Source>("source", model.B, model.S);
    auto target = f.argument<int, Batch, Target>("target_in", model.B, model.T);
    f.result<Batch, Target, Vocabulary>("logits", model(source, target));
  });
}

/// What each head of each layer looks at, for pictures.
void addAttention(Program &program, const Transformer &model) {
  program.function("attention", [&](Function &f) {
    auto source = f.argument<int, Batch, Source>("source", model.B, model.S);
    auto target = f.argument<int, Batch, Target>("target_in", model.B, model.T);
    Weights weights;
    model.decode(model.encode(source, {}, &weights), source, target, {}, &weights);
    for (std::size_t i = 0; i < weights.encoder.size(); ++i) {
      std::string layer = std::to_string(i);
      f.result<Batch, nn::Heads, Source, Key>("encoder." + layer, weights.encoder[i]);
      f.result<Batch, nn::Heads, Target, Key>("decoder." + layer, weights.decoder[i]);
      f.result<Batch, nn::Heads, Target, Source>("cross." + layer, weights.cross[i]);
    }
  });
}

/// Translation: encode once, then decode_step for each position, with reorder between them where
/// several beginnings of a sentence are gone on with. What a step needs of the source and of
/// earlier positions lies in the caller's session.
void addDecoding(Program &program, const Transformer &model) {
  const Settings &s = model.settings;
  Scope scope = program.scope("session");
  auto sourceVisible = scope.session<bool, Batch, Source>("source.visible", model.B, model.S);
  std::vector<nn::Cache<Batch, Key>> caches;
  std::vector<nn::Cache<Batch, Source>> memories;
  for (int i = 0; i < s.layers; ++i) {
    caches.push_back(
        {scope.scope("target").scope(i), {model.B, s.heads, model.T, s.depth, s.valueDepth}});
    memories.push_back(
        {scope.scope("source").scope(i), {model.B, s.heads, model.S, s.depth, s.valueDepth}});
  }

  program.function("encode", [&](Function &f) {
    auto source = f.argument<int, Batch, Source>("source", model.B, model.S);
    auto memory = model.encode(source);
    for (int i = 0; i < s.layers; ++i)
      memories[i].store(model.decoder[i].crossAttention.project(memory));
    assign(sourceVisible, nn::real(source, padding));
  });

  program.function("decode_step", [&](Function &f) {
    auto token = f.argument<int, Batch>("token", model.B);
    auto position = f.argument<int>("position");
    auto logits = model.step(token, position, caches, memories, sourceVisible);
    f.result<Batch, Vocabulary>("logits", logits);
  });

  // Beam search (6.1) goes on with one beginning of a translation in the place of another of the
  // same sentence: what a step needs of the source stays.
  program.function("reorder", [&](Function &f) {
    auto parent = f.argument<int, Batch>("parent", model.B);
    for (const auto &cache : caches)
      cache.reorder(parent);
  });
}

} // namespace

void build(Program &program, Options &options) {
  Settings settings(options);
  Transformer model(program, settings);
  addTraining(program, model);
  addEvaluation(program, model);
  addForward(program, model);
  addAttention(program, model);
  addDecoding(program, model);
}

} // namespace translate
