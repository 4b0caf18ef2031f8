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

enum class Activation { Relu, Gelu, GeluTanh };

// x: [...] -> [...]
template <class X>
auto activate(const X &x, Activation activation, Where where = Where::current()) {
  graph::CallSite site(where);
  switch (activation) {
  case Activation::Gelu:
    return gelu(x);
  case Activation::GeluTanh:
    return gelu_tanh(x);
  case Activation::Relu:
    break;
  }
  return relu(x);
}

/// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (Vaswani et al. 2017, equation 2), or with another
/// activation.
template <AnAxis Model = nn::Model, AnAxis Hidden = nn::Hidden> class FeedForward {
public:
  FeedForward(const Scope &scope, const Size &model, const Size &hidden,
              Activation activation = Activation::Relu, Where where = Where::current())
      : inner(scope.scope("inner"), model, hidden, true, where),
        outer(scope.scope("outer"), hidden, model, true, where), activation(activation) {}

  // x: [..., model] -> [..., model]
  template <class X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    return outer(activate(inner(x), activation));
  }

  Linear<Model, Hidden> inner;
  Linear<Hidden, Model> outer;

private:
  Activation activation;
};

/// The same of two convolutions along Position: with `taps` of 1 they are the two linear maps, with
/// 3 each position sees its neighbours.
template <AnAxis Position, AnAxis Model = nn::Model, AnAxis Hidden = nn::Hidden>
class ConvolutionFeedForward {
public:
  ConvolutionFeedForward(const Scope &scope, const Size &model, const Size &hidden, int taps,
                         Activation activation = Activation::Relu, Where where = Where::current())
      : inner(scope.scope("inner"), model, hidden, taps, where),
        outer(scope.scope("outer"), hidden, model, taps, where), activation(activation) {}

  // x: [..., position, model] -> the same
  template <class X> auto operator()(const X &x, Where where = Where::current()) const {
    graph::CallSite site(where);
    return outer(activate(inner(x), activation));
  }

  Convolution<Position, Model, Hidden> inner;
  Convolution<Position, Hidden, Model> outer;

private:
  Activation activation;
};

} // namespace axloom::nn
