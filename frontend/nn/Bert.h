//===- Bert.h - the encoder of BERT ------------------------------------------------------===//
//
// Devlin et al. 2018: sums of word, position and segment embeddings, normalized, go through layers
// like the Transformer's, with GELU and with biases on all projections.
// Tests: tests/examples/embed/, tests/examples/bert/
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Embedding.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"

namespace axloom::nn {

struct Word : Axis<"word"> {};       // the vocabulary
struct Segment : Axis<"segment"> {}; // first or second sentence of a pair

struct BertOptions {
  Size words = 30522;
  Size places = 512;
  Size segments = 2;
  int layers = 12;
  LayerOptions layer = bertBase();

  /// A layer of bert-base: 768 wide, 12 heads.
  static LayerOptions bertBase() { return layerOf(768, 12, 3072); }
  static LayerOptions layerOf(const Size &model, const Size &heads, const Size &hidden,
                              Where where = Where::current()) {
    Size depth = axloom::detail::LocatedSize(model, where) / heads;
    LayerOptions options{model, heads, depth, depth, hidden};
    options.attentionDropout = 0.1;
    options.attentionBias = true;
    options.epsilon = 1e-12;
    options.activation = Activation::Gelu;
    return options;
  }
};

template <AnAxis Model = nn::Model> class Bert {
public:
  Bert(const Scope &scope, const BertOptions &o, Where where = Where::current())
      : words(scope.part("embedding.word", where), o.words, o.layer.model, init::normal(0, 0.02)),
        places(scope.part("embedding.position", where), o.places, o.layer.model,
               init::normal(0, 0.02)),
        segments(scope.part("embedding.segment", where), o.segments, o.layer.model,
                 init::normal(0, 0.02)),
        norm(scope.part("embedding.norm", where), o.layer.model, o.layer.epsilon),
        dropoutRate(o.layer.dropout) {
    for (int i = 0; i < o.layers; ++i)
      layers.emplace_back(scope.part("encoder", where).part(i, where), o.layer);
  }

  // tokens: [..., position], segmentIds: [..., position] or a scalar, visible: [..., key]
  // -> [..., position, model] and, for each layer, [..., heads, position, key]
  template <AnAxis Position, AnAxis Key, class T, class S, class M>
  auto applyWithWeights(const T &tokens, const S &segmentIds, const M &visible,
                        const Randomness &randomness, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto sum =
        words(tokens) + places(iota<Position>(size<Position>(tokens))) + segments(segmentIds);
    using X = Value<AxesOf<decltype(sum)>, float>;
    auto through = [&](const EncoderLayer<Model> &layer, const X &x) {
      return layer.template applyWithWeights<Position, Key>(x, visible, randomness);
    };
    X x = dropout(norm(sum), dropoutRate, randomness);
    std::vector<decltype(through(layers[0], x).weights)> weights;
    for (const auto &layer : layers) {
      auto seen = through(layer, x);
      x = seen.output;
      weights.push_back(seen.weights);
    }
    return Attended<X, decltype(weights)>{x, weights};
  }

  // The same without the weights.
  template <AnAxis Position, AnAxis Key, class T, class S, class M>
  auto apply(const T &tokens, const S &segmentIds, const M &visible, const Randomness &randomness,
             Where where = Where::current()) const {
    graph::CallSite site(where);
    return applyWithWeights<Position, Key>(tokens, segmentIds, visible, randomness).output;
  }

  Embedding<Word, Model> words;
  LearnedPositions<Model> places;
  Embedding<Segment, Model> segments;
  LayerNorm<Model> norm;
  std::vector<EncoderLayer<Model>> layers;

private:
  double dropoutRate;
};

} // namespace axloom::nn
