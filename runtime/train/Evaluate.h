// The mean loss per token over a whole set of batches, and the means of what is summed beside it.
#pragma once

#include "runtime/data/BatchSource.h"
#include "runtime/train/Trainer.h"

namespace axloom::runtime {

// Runs `function` on one epoch of `batches`. Its result `loss` is the sum over a batch's tokens if
// the function also has a result `tokens`, their number; without one, `loss` is the mean over the
// batch's target tokens, or over its labels. All other results must be sums over the same tokens or
// labels: divided by how many these are, each is a metric of its name ("right", how many guesses
// are right, becomes their share). The first metric is "perplexity" = exp(loss).
Validation evaluate(Model &model, BatchSource &batches, const std::string &function = "evaluate",
                    const std::string &loss = "loss");

} // namespace axloom::runtime
