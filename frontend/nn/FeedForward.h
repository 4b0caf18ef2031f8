//===- FeedForward.h - the position-wise feed-forward network --------------------------===//
//
// Test: tests/frontend/ModulesTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Convolution.h"
#include "frontend/nn/Linear.h"
#include "frontend/nn/Names.h"

namespace axloom::nn {

enum class Activation { Relu, Gelu, GeluTanh, Silu };

// x: [...] -> [...]
template <class X>
auto activate(const X &x, Activation activation, Where where = Where::current()) {
  graph::CallSite site(where);
  switch (activation) {
  case Activation::Gelu:
    return gelu(x);
  case Activation::GeluTanh:
    return gelu_tanh(x);
  case Activation::Silu:
    return silu(x);
  case Activation::Relu:
    break;
  }
  return relu(x);
}

/// Refuses several taps where no neighbours are seen; `what` is the subject.
inline void requireOneTap(int taps, const std::string &what, const Where &where) {
  if (taps > 1)
    throw GraphError(graph::place(where),
                     {what + " sees no neighbours", "a feed-forward network of 1 tap",
                      std::to_string(taps) + " taps",
                      "set LayerOptions::taps to 1; an encoder's layer may have more, in `apply`"});
}

struct FeedForwardOptions {
  Activation activation = Activation::Relu;
  int taps = 1;       // how many neighbours a position sees, with itself
  bool gated = false; // activation(x W_g) times x W_1 in place of activation(x W_1)
  bool bias = true;
};

/// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (Vaswani et al. 2017, equation 2), or with another
/// activation, or gated (Shazeer 2020; with silu SwiGLU). With several taps the maps are
/// convolutions that see a position's neighbours.
template <AnAxis Model = nn::Model, AnAxis Hidden = nn::Hidden> class FeedForward {
public:
  FeedForward(const Scope &scope, const Size &model, const Size &hidden,
              const FeedForwardOptions &o = {}, Where where = Where::current())
      : inner(scope.part("inner", where), model, hidden, o.taps, o.bias),
        outer(scope.part("outer", where), hidden, model, o.taps, o.bias), activation(o.activation) {
    if (o.gated)
      gate.emplace(scope.part("gate", where), model, hidden, o.taps, o.bias);
  }

  int taps() const { return inner.taps(); }

  // With one tap. x: [..., model] -> [..., model]
  template <class X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto y = inner(x);
    return outer(gate ? activate((*gate)(x), activation) * y : activate(y, activation));
  }

  // x: [..., position, model], real: [..., position], false where nothing is to be seen -> as x
  template <AnAxis Position, class X, class R>
  auto along(const X &x, const R &real, Where where = Where::current()) const {
    graph::CallSite site(where);
    auto y = inner.template along<Position>(x, real);
    auto hidden = gate ? activate(gate->template along<Position>(x, real), activation) * y
                       : activate(y, activation);
    return outer.template along<Position>(hidden, real);
  }

  Convolution<Model, Hidden> inner;
  Convolution<Hidden, Model> outer;
  std::optional<Convolution<Model, Hidden>> gate;

private:
  Activation activation;
};

} // namespace axloom::nn
