//===- Transformer.h - the encoder's and the decoder's layers --------------------------===//
//
// Vaswani et al. 2017, section 3.1: each sub-layer is LayerNorm(x + Dropout(Sublayer(x))).
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Attention.h"
#include "frontend/nn/FeedForward.h"
#include "frontend/nn/LayerNorm.h"

namespace axloom::nn {

/// Sizes and habits of a layer; the defaults are the paper's base model.
struct LayerOptions {
  Size model = 512;
  Size heads = 8;
  Size depth = 64;
  Size valueDepth = 64;
  Size hidden = 2048;
  double dropout = 0.1;          // on the output of each sub-layer (5.4)
  double attentionDropout = 0.0; // on attention weights
  bool attentionBias = false;
  double epsilon = 1e-5;
};

/// A residual connection around a sub-layer, then normalization.
template <AnAxis Model> class Residual {
public:
  Residual(const Scope &scope, const LayerOptions &options, Where where = Where::current())
      : rate(options.dropout), norm(scope, options.model, options.epsilon, where) {}

  // x and the sub-layer's y: [..., model] -> [..., model]
  template <class X, class Y>
  auto operator()(const X &x, const Y &y, const Randomness &randomness) const {
    return norm(x + dropout(y, rate, randomness));
  }

private:
  double rate;
  LayerNorm<Model> norm;
};

template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth, AnAxis Hidden = nn::Hidden>
class EncoderLayer {
public:
  EncoderLayer(const Scope &scope, const LayerOptions &o, Where where = Where::current())
      : selfAttention(scope.scope("attention"),
                      {o.model, o.heads, o.depth, o.valueDepth, o.attentionBias}, where),
        feedForward(scope.scope("feed_forward"), o.model, o.hidden, where),
        attended(scope.scope("attention.norm"), o, where),
        fed(scope.scope("feed_forward.norm"), o, where), attentionDropout(o.attentionDropout) {}

  // x: [..., position, model] -> the same; visible: which positions may be seen, over axis Key
  template <AnAxis Position, AnAxis Key, class X, class M>
  auto apply(const X &x, const M &visible, const Randomness &randomness,
             Where where = Where::current()) const {
    graph::CallSite site(where);
    auto memory = selfAttention.project(rename<Position, Key>(x));
    auto seen =
        selfAttention.template attend<Key>(x, memory, visible, {attentionDropout, randomness});
    auto y = attended(x, seen, randomness);
    return fed(y, feedForward(y), randomness);
  }

private:
  MultiHeadAttention<Model, Heads, Depth, ValueDepth> selfAttention;
  FeedForward<Model, Hidden> feedForward;
  Residual<Model> attended, fed;
  double attentionDropout;
};

template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth, AnAxis Hidden = nn::Hidden>
class DecoderLayer {
public:
  DecoderLayer(const Scope &scope, const LayerOptions &o, Where where = Where::current())
      : selfAttention(scope.scope("attention"),
                      {o.model, o.heads, o.depth, o.valueDepth, o.attentionBias}, where),
        crossAttention(scope.scope("cross_attention"),
                       {o.model, o.heads, o.depth, o.valueDepth, o.attentionBias}, where),
        feedForward(scope.scope("feed_forward"), o.model, o.hidden, where),
        attended(scope.scope("attention.norm"), o, where),
        crossed(scope.scope("cross_attention.norm"), o, where),
        fed(scope.scope("feed_forward.norm"), o, where), attentionDropout(o.attentionDropout) {}

  // y: [..., model], with an axis of positions or, in a step of decoding, without
  // own: keys and values of the target, over axis Key; memory: those of the source, over Source
  template <AnAxis Key, AnAxis Source, class Y, class Own, class OwnMask, class Memory,
            class MemoryMask>
  auto apply(const Y &y, const Own &own, const OwnMask &ownVisible, const Memory &memory,
             const MemoryMask &memoryVisible, const Randomness &randomness,
             Where where = Where::current()) const {
    graph::CallSite site(where);
    WeightDropout drop{attentionDropout, randomness};
    auto seen = selfAttention.template attend<Key>(y, own, ownVisible, drop);
    auto a = attended(y, seen, randomness);
    auto read = crossAttention.template attend<Source>(a, memory, memoryVisible, drop);
    auto b = crossed(a, read, randomness);
    return fed(b, feedForward(b), randomness);
  }

  MultiHeadAttention<Model, Heads, Depth, ValueDepth> selfAttention, crossAttention;

private:
  FeedForward<Model, Hidden> feedForward;
  Residual<Model> attended, crossed, fed;
  double attentionDropout;
};

} // namespace axloom::nn
