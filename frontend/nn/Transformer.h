//===- Transformer.h - the encoder's and the decoder's layers --------------------------===//
//
// Vaswani et al. 2017, section 3.1: each sub-layer is LayerNorm(x + Dropout(Sublayer(x))), unless
// the options place the norm elsewhere.
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Attention.h"
#include "frontend/nn/FeedForward.h"
#include "frontend/nn/LayerNorm.h"

namespace axloom::nn {

/// Where a residual connection around a sub-layer S normalizes x.
enum class NormPlacement {
  After,        // LayerNorm(x + S(x)), the paper's
  Before,       // x + S(LayerNorm(x)) (Xiong et al. 2020); a stack ends with a norm of its own
  OfSublayer,   // x + LayerNorm(S(x))
  OfSumAndBack, // u + LayerNorm(u), u = x + S(x)
};

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
  NormPlacement norm = NormPlacement::After;
  Activation activation = Activation::Relu;
  int taps = 1; // of an encoder's feed-forward network: how many neighbours it sees, with itself
};

/// A residual connection around a sub-layer, with its normalization: y = S(input(x)), then
/// join(x, y).
template <AnAxis Model> class Residual {
public:
  Residual(const Scope &scope, const LayerOptions &options, Where where = Where::current())
      : rate(options.dropout), placement(options.norm),
        norm(scope, options.model, options.epsilon, where) {}

  // What the sub-layer sees. x: [..., model] -> [..., model]
  template <class X> auto input(const X &x) const {
    Value<AxesOf<X>, float> seen = x;
    return placement == NormPlacement::Before ? norm(seen) : seen;
  }

  // x and the sub-layer's y: [..., model] -> [..., model]
  template <class X, class Y>
  auto join(const X &x, const Y &y, const Randomness &randomness) const {
    auto kept = dropout(y, rate, randomness);
    switch (placement) {
    case NormPlacement::Before:
      return x + kept;
    case NormPlacement::OfSublayer:
      return x + norm(kept);
    case NormPlacement::OfSumAndBack: {
      auto u = x + kept;
      return u + norm(u);
    }
    case NormPlacement::After:
      break;
    }
    return norm(x + kept);
  }

private:
  double rate;
  NormPlacement placement;
  LayerNorm<Model> norm;
};

template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth, AnAxis Hidden = nn::Hidden>
class EncoderLayer {
public:
  EncoderLayer(const Scope &scope, const LayerOptions &o, Where where = Where::current())
      : selfAttention(scope.part("attention", where),
                      {o.model, o.heads, o.depth, o.valueDepth, o.attentionBias}),
        feedForward(scope.part("feed_forward", where), o.model, o.hidden, o.activation, o.taps),
        attended(scope.part("attention.norm", where), o),
        fed(scope.part("feed_forward.norm", where), o), attentionDropout(o.attentionDropout) {}

  // x: [..., position, model]; visible: which positions may be seen, over axis Key
  // -> [..., position, model] and [..., heads, position, key]
  template <AnAxis Position, AnAxis Key, class X, class M>
  auto applyWithWeights(const X &x, const M &visible, const Randomness &randomness,
                        Where where = Where::current()) const {
    graph::CallSite site(where);
    auto h = attended.input(x);
    auto feed = [&](const auto &y) { return fedAlong<Position, Key>(y, visible); };
    return follow<Key>(x, h, selfAttention.project(rename<Position, Key>(h)), visible, randomness,
                       feed);
  }

  // The same without the weights.
  template <AnAxis Position, AnAxis Key, class X, class M>
  auto apply(const X &x, const M &visible, const Randomness &randomness,
             Where where = Where::current()) const {
    graph::CallSite site(where);
    return applyWithWeights<Position, Key>(x, visible, randomness).output;
  }

  // Keys and values for `step`. x: [..., model], of one position or, with an axis of them, of more
  template <class X> auto ownMemory(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    return selfAttention.project(attended.input(x));
  }

  // One position, which looks at keys and values that were kept. x: [..., model] -> the same
  template <AnAxis Key, class X, class Own, class M>
  auto step(const X &x, const Own &own, const M &visible, Where where = Where::current()) const {
    graph::CallSite site(where);
    requireOneTap(feedForward.taps(), "a step of an encoder's layer", where);
    return follow<Key>(x, attended.input(x), own, visible, {}, feedForward).output;
  }

private:
  // Convolutions see of a position's neighbours those that its queries see, if these are the same
  // for all queries and heads.
  // y: [..., position, model] -> the same
  template <AnAxis Position, AnAxis Key, class Y, class M>
  auto fedAlong(const Y &y, const M &visible) const {
    using Fed = decltype(feedForward(y));
    if constexpr (std::same_as<ElementOf<M>, bool> && lacks<Position, AxesOf<M>> &&
                  subset<Without<AxesOf<M>, Key>, AxesOf<Y>>)
      if (feedForward.taps() > 1) {
        if constexpr (HasAxes<M, Key>)
          return Fed(feedForward.template along<Position>(y, rename<Key, Position>(visible)));
        else
          return Fed(feedForward.template along<Position>(y, visible));
      }
    return feedForward(y);
  }

  // What follows upon the norm h of x and the keys and values.
  template <AnAxis Key, class X, class H, class Own, class M, class Feed>
  auto follow(const X &x, const H &h, const Own &own, const M &visible,
              const Randomness &randomness, const Feed &feed) const {
    auto seen = selfAttention.template attendWithWeights<Key>(h, own, visible,
                                                              {attentionDropout, randomness});
    auto y = attended.join(x, seen.output, randomness);
    auto output = fed.join(y, feed(fed.input(y)), randomness);
    return Attended<decltype(output), decltype(seen.weights)>{output, seen.weights};
  }

  MultiHeadAttention<Model, Heads, Depth, ValueDepth> selfAttention;
  FeedForward<Model, Hidden> feedForward;
  Residual<Model> attended, fed;
  double attentionDropout;
};

/// What a decoder's layer gives: its output, and the weights of its two attentions.
template <class O, class Own, class Cross> struct DecoderAttended {
  O output;
  Own ownWeights;
  Cross crossWeights;
};

template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth, AnAxis Hidden = nn::Hidden>
class DecoderLayer {
public:
  DecoderLayer(const Scope &scope, const LayerOptions &o, Where where = Where::current())
      : selfAttention(scope.part("attention", where),
                      {o.model, o.heads, o.depth, o.valueDepth, o.attentionBias}),
        crossAttention(scope.part("cross_attention", where),
                       {o.model, o.heads, o.depth, o.valueDepth, o.attentionBias}),
        feedForward(scope.part("feed_forward", where), o.model, o.hidden, o.activation, o.taps),
        attended(scope.part("attention.norm", where), o),
        crossed(scope.part("cross_attention.norm", where), o),
        fed(scope.part("feed_forward.norm", where), o), attentionDropout(o.attentionDropout) {
    requireOneTap(o.taps, "a decoder's layer", scope.placeOr(where));
  }

  // Keys and values of the target for `apply`. y: [..., position, model], or [..., model] in a step
  template <class Y> auto ownMemory(const Y &y, Where where = Where::current()) const {
    graph::CallSite site(where);
    return selfAttention.project(attended.input(y));
  }

  // y: [..., model], with an axis of positions or, in a step of decoding, without
  // own: what `ownMemory` made, over axis Key; memory: what crossAttention.project made of the
  // encoder's output, or of any expression of it, over Source
  // -> [..., model], [..., heads, key] and [..., heads, source]
  template <AnAxis Key, AnAxis Source, class Y, class Own, class OwnMask, class Memory,
            class MemoryMask>
  auto applyWithWeights(const Y &y, const Own &own, const OwnMask &ownVisible, const Memory &memory,
                        const MemoryMask &memoryVisible, const Randomness &randomness,
                        Where where = Where::current()) const {
    graph::CallSite site(where);
    AttentionOptions options{attentionDropout, randomness};
    auto seen =
        selfAttention.template attendWithWeights<Key>(attended.input(y), own, ownVisible, options);
    auto a = attended.join(y, seen.output, randomness);
    auto read = crossAttention.template attendWithWeights<Source>(crossed.input(a), memory,
                                                                  memoryVisible, options);
    auto b = crossed.join(a, read.output, randomness);
    auto output = fed.join(b, feedForward(fed.input(b)), randomness);
    return DecoderAttended<decltype(output), decltype(seen.weights), decltype(read.weights)>{
        output, seen.weights, read.weights};
  }

  // The same without the weights.
  template <AnAxis Key, AnAxis Source, class Y, class Own, class OwnMask, class Memory,
            class MemoryMask>
  auto apply(const Y &y, const Own &own, const OwnMask &ownVisible, const Memory &memory,
             const MemoryMask &memoryVisible, const Randomness &randomness,
             Where where = Where::current()) const {
    graph::CallSite site(where);
    return applyWithWeights<Key, Source>(y, own, ownVisible, memory, memoryVisible, randomness)
        .output;
  }

  MultiHeadAttention<Model, Heads, Depth, ValueDepth> selfAttention, crossAttention;

private:
  FeedForward<Model, Hidden> feedForward;
  Residual<Model> attended, crossed, fed;
  double attentionDropout;
};

} // namespace axloom::nn
