//===- InputEmbedding.h - tokens and their places as vectors --------------------------===//
//
// Test: tests/frontend/TranslateModelTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/nn/Embedding.h"
#include "frontend/nn/Positions.h"

#include <cmath>
#include <optional>

namespace axloom::nn {

/// How a model knows where a token is.
enum class Positions {
  Sinusoidal, // added to the tokens' vectors (3.5)
  Learned,    // added, too
  None,       // nothing is added; LayerOptions::rotaryBase has attention turn queries and keys
};

/// Tokens to vectors (Vaswani et al. 2017, section 3.4), plus where they stand (3.5), with dropout
/// on the sum (5.4).
template <AnAxis Vocabulary, AnAxis Model = nn::Model> class InputEmbedding {
public:
  struct Options {
    int vocabulary, model;
    int places; // positions that a learned table has
    Positions positions = Positions::Sinusoidal;
    double dropout = 0;
    bool scaled = true; // a tied table's vectors, by sqrt(model)
  };

  /// `tied`: the table of the projection before the softmax, to be used here too (3.4).
  InputEmbedding(const Scope &scope, const Options &o, const Embedding<Vocabulary, Model> *tied,
                 Where where = Where::current())
      : options(o), scaled(tied && o.scaled) {
    graph::CallSite site(scope.placeOr(where));
    // The shared table starts with N(0, 1 / d_model), which fits the projection before the softmax;
    // times sqrt(d_model) it has unit variance, as a table of its own has from the start.
    if (tied)
      table = *tied;
    else
      table.emplace(scope, o.vocabulary, o.model, init::normal(0, 1));
    if (o.positions == Positions::Learned)
      places.emplace(scope.part("positions", where), o.places, o.model,
                     init::normal(0, 1 / std::sqrt(o.model)));
  }

  // tokens: [...], position: [...] of some of these axes -> [..., model]
  template <class Tokens, class Position>
  auto operator()(const Tokens &tokens, const Position &position, const Randomness &randomness,
                  Where here = Where::current()) const {
    graph::CallSite site(here);
    auto x = (*table)(tokens);
    if (scaled)
      x = x * std::sqrt(options.model);
    if (options.positions == Positions::None)
      return dropout(x, options.dropout, randomness);
    auto where = places ? (*places)(position) : sinusoids<Model>(position, options.model);
    return dropout(x + where, options.dropout, randomness);
  }

private:
  Options options;
  bool scaled;
  std::optional<Embedding<Vocabulary, Model>> table;
  std::optional<LearnedPositions<Model>> places;
};

} // namespace axloom::nn
