//===- Transformer.h - the encoder's and the decoder's layers --------------------------===//
//
// Vaswani et al. 2017, section 3.1: each sub-layer is LayerNorm(x + Dropout(Sublayer(x))), unless
// the options place the norm elsewhere.
// Test: tests/frontend/AttentionTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Attention.h"
#include "frontend/nn/FeedForward.h"
#include "frontend/nn/Normalization.h"
#include "frontend/nn/Positions.h"

namespace axloom::nn {

/// Where a residual connection around a sub-layer S normalizes x.
enum class NormPlacement {
  After,        // norm(x + S(x)), the paper's
  Before,       // x + S(norm(x)) (Xiong et al. 2020); a stack ends with a norm of its own
  OfSublayer,   // x + norm(S(x))
  OfSumAndBack, // u + norm(u), u = x + S(x)
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
  NormKind normKind = NormKind::Layer;
  bool gated = false; // the feed-forward network (Shazeer 2020)
  bool feedForwardBias = true;
  std::optional<Size> keyHeads = {};     // heads of keys and values, if queries share them
  std::optional<double> rotaryBase = {}; // if positions turn queries and keys: that of `rotary`
  bool scaledScores = true;              // divided by sqrt(depth)

  FeedForwardOptions feedForward() const { return {activation, taps, gated, feedForwardBias}; }
  MultiHeadDimensions attention() const {
    return {model, heads, depth, valueDepth, attentionBias, {}, keyHeads};
  }
};

/// A residual connection around a sub-layer, with its normalization: y = S(input(x)), then
/// join(x, y).
template <AnAxis Model> class Residual {
public:
  Residual(const Scope &scope, const LayerOptions &options, Where where = Where::current())
      : rate(options.dropout), placement(options.norm),
        norm(scope, options.model, options.normKind, options.epsilon, where) {}

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
  Normalization<Model> norm;
};

template <AnAxis Model = nn::Model, AnAxis Heads = nn::Heads, AnAxis Depth = nn::Depth,
          AnAxis ValueDepth = nn::ValueDepth, AnAxis Hidden = nn::Hidden>
class EncoderLayer {
public:
  EncoderLayer(const Scope &scope, const LayerOptions &o, Where where = Where::current())
      : selfAttention(scope.part("attention", where), o.attention()),
        feedForward(scope.part("feed_forward", where), o.model, o.hidden, o.feedForward()),
        attended(scope.part("attention.norm", where), o),
        fed(scope.part("feed_forward.norm", where), o),
        rotation(o.rotaryBase, scope.placeOr(where)), attentionDropout(o.attentionDropout),
        scaled(o.scaledScores) {}

  // x: [..., position, model]; visible: which positions may be seen, over axis Key; position:
  // [..., position] of int, where they turn queries and keys
  // -> [..., position, model] and [..., heads, position, key]
  template <AnAxis Position, AnAxis Key, class X, class M, PositionsOf<X> P = NoPositions>
  auto applyWithWeights(const X &x, const M &visible, const Randomness &randomness,
                        const P &position = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto h = attended.input(x);
    auto seen = rename<Position, Key>(h);
    auto own = [&] {
      if constexpr (HasAxes<P, Position>)
        return project(seen, rename<Position, Key>(position));
      else
        return project(seen, position);
    }();
    auto feed = [&](const auto &y) { return fedAlong<Position, Key>(y, visible); };
    return follow<Key>(x, h, own, visible, randomness, position, feed);
  }

  // The same without the weights.
  template <AnAxis Position, AnAxis Key, class X, class M, PositionsOf<X> P = NoPositions>
  auto apply(const X &x, const M &visible, const Randomness &randomness, const P &position = {},
             Where where = Where::current()) const {
    graph::CallSite site(where);
    return applyWithWeights<Position, Key>(x, visible, randomness, position).output;
  }

  // Keys and values for `step`. x: [..., model], of one position or, with an axis of them, of more
  template <class X, PositionsOf<X> P = NoPositions>
  auto ownMemory(const X &x, const P &position = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    return project(attended.input(x), position);
  }

  // One position, which looks at keys and values that were kept. x: [..., model] -> the same
  template <AnAxis Key, class X, class Own, class M, PositionsOf<X> P = NoPositions>
  auto step(const X &x, const Own &own, const M &visible, const P &position = {},
            Where where = Where::current()) const {
    graph::CallSite site(where);
    requireOneTap(feedForward.taps(), "a step of an encoder's layer", where);
    return follow<Key>(x, attended.input(x), own, visible, {}, position, feedForward).output;
  }

private:
  // Keys and values of the norm h of x.
  template <class H, class P> auto project(const H &h, const P &position) const {
    auto memory = selfAttention.project(h);
    memory.keys = rotation.template turn<Depth>(memory.keys, position);
    return memory;
  }

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
  template <AnAxis Key, class X, class H, class Own, class M, class P, class Feed>
  auto follow(const X &x, const H &h, const Own &own, const M &visible,
              const Randomness &randomness, const P &position, const Feed &feed) const {
    auto queries = rotation.template turn<Depth>(selfAttention.query(h), position);
    auto seen = selfAttention.template attendByQueries<Key>(queries, own, visible,
                                                            {attentionDropout, randomness, scaled});
    auto y = attended.join(x, seen.output, randomness);
    auto output = fed.join(y, feed(fed.input(y)), randomness);
    return Attended<decltype(output), decltype(seen.weights)>{output, seen.weights};
  }

  MultiHeadAttention<Model, Heads, Depth, ValueDepth> selfAttention;
  FeedForward<Model, Hidden> feedForward;
  Residual<Model> attended, fed;
  Rotation rotation;
  double attentionDropout;
  bool scaled;
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
      : selfAttention(scope.part("attention", where), o.attention()),
        crossAttention(scope.part("cross_attention", where), o.attention()),
        feedForward(scope.part("feed_forward", where), o.model, o.hidden, o.feedForward()),
        attended(scope.part("attention.norm", where), o),
        crossed(scope.part("cross_attention.norm", where), o),
        fed(scope.part("feed_forward.norm", where), o),
        rotation(o.rotaryBase, scope.placeOr(where)), attentionDropout(o.attentionDropout),
        scaled(o.scaledScores) {
    requireOneTap(o.taps, "a decoder's layer", scope.placeOr(where));
  }

  // Keys and values of the target for `apply`. y: [..., position, model], or [..., model] in a step
  template <class Y, PositionsOf<Y> P = NoPositions>
  auto ownMemory(const Y &y, const P &position = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto memory = selfAttention.project(attended.input(y));
    memory.keys = rotation.template turn<Depth>(memory.keys, position);
    return memory;
  }

  // y: [..., model], with an axis of positions or, in a step of decoding, without
  // own: what `ownMemory` made, over axis Key; memory: what crossAttention.project made of the
  // encoder's output, or of any expression of it, over Source; position: of y
  // -> [..., model], [..., heads, key] and [..., heads, source]
  template <AnAxis Key, AnAxis Source, class Y, class Own, class OwnMask, class Memory,
            class MemoryMask, PositionsOf<Y> P = NoPositions>
  auto applyWithWeights(const Y &y, const Own &own, const OwnMask &ownVisible, const Memory &memory,
                        const MemoryMask &memoryVisible, const Randomness &randomness,
                        const P &position = {}, Where where = Where::current()) const {
    graph::CallSite site(where);
    AttentionOptions options{attentionDropout, randomness, scaled};
    auto queries = rotation.template turn<Depth>(selfAttention.query(attended.input(y)), position);
    auto seen = selfAttention.template attendByQueries<Key>(queries, own, ownVisible, options);
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
            class MemoryMask, PositionsOf<Y> P = NoPositions>
  auto apply(const Y &y, const Own &own, const OwnMask &ownVisible, const Memory &memory,
             const MemoryMask &memoryVisible, const Randomness &randomness, const P &position = {},
             Where where = Where::current()) const {
    graph::CallSite site(where);
    return applyWithWeights<Key, Source>(y, own, ownVisible, memory, memoryVisible, randomness,
                                         position)
        .output;
  }

  MultiHeadAttention<Model, Heads, Depth, ValueDepth> selfAttention, crossAttention;

private:
  FeedForward<Model, Hidden> feedForward;
  Residual<Model> attended, crossed, fed;
  Rotation rotation;
  double attentionDropout;
  bool scaled;
};

} // namespace axloom::nn
