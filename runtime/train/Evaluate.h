// The mean loss per token over a whole set of batches.
#pragma once

#include "runtime/data/BatchSource.h"
#include "runtime/train/Trainer.h"

namespace axloom::runtime {

// Runs `function` on one epoch of `batches`, whose result `loss` is the mean over a batch's target
// tokens, and weights each batch by its tokens. Gives the metric "perplexity" = exp(loss) beside
// it.
Validation evaluate(Model &model, BatchSource &batches, const std::string &function = "evaluate",
                    const std::string &loss = "loss");

} // namespace axloom::runtime
