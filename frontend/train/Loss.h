//===- Loss.h - sums over the tokens that count ----------------------------------------===//
//
// Test: tests/frontend/TrainTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Axloom.h"

namespace axloom::train {

/// The loss over the tokens that `real` shows.
struct TokenLoss {
  Tensor<> sum;    // in nats
  Tensor<> tokens; // how many there are
  Tensor<> mean(Where where = Where::current()) const {
    graph::CallSite site(where);
    return sum / maximum(tokens, 1);
  }
};

/// Cross entropy with label smoothing, for labels over axes As.
//  logits: [as..., classes], labels and real: [as...]
template <AnAxis Classes, AnAxis... As, class X>
TokenLoss tokenLoss(const X &logits, const IntTensor<As...> &labels, const Mask<As...> &real,
                    double smoothing = 0, Where here = Where::current()) {
  graph::CallSite site(here);
  auto loss = cross_entropy<Classes>(logits, labels, smoothing);
  return {sum<As...>(where(real, cast<float>(loss))), sum<As...>(cast<float>(real))};
}

} // namespace axloom::train
