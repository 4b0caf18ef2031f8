// What can be set about BERT: a named size, and numbers that replace some of it.
#pragma once

#include "frontend/Options.h"
#include "frontend/nn/Bert.h"
#include "frontend/train/Adam.h"

namespace bert {

// The options `size`, `layers`, `width`, `heads`, `hidden`, `vocabulary`, `length`, `batch` (the
// most sentence pairs of a call), `dropout`; `rate`, `warmup`, `beta1`, `beta2`, `epsilon` and
// `weight_decay` of Adam.
struct Settings {
  explicit Settings(axloom::Options &options);

  axloom::nn::BertOptions encoder() const;
  // The most target tokens of a call: 15 % of each pair's tokens.
  int targets() const { return batch * std::max(1, (length * 15 + 50) / 100); }

  int layers, width, heads, hidden, vocabulary, length, batch;
  double dropout, rate;
  int warmup;
  axloom::train::Adam::Constants adam;
};

} // namespace bert
