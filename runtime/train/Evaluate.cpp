#include "runtime/train/Evaluate.h"

#include "runtime/train/StepCall.h"

#include <cmath>

using namespace axloom::runtime;

Validation axloom::runtime::evaluate(Model &model, BatchSource &batches,
                                     const std::string &function, const std::string &loss) {
  StepCall call(model, function, loss);
  double sum = 0, count = 0;
  forEachBatch(batches, [&](const Batch &batch) {
    call.run(batch, 0, 0);
    const double *tokens = call.result("tokens");
    double counted = tokens ? *tokens : double(batch.labels.value_or(batch.tokens));
    sum += tokens ? call.loss() : call.loss() * counted;
    count += counted;
  });
  double mean = sum / count;
  return {mean, {{"perplexity", std::exp(mean)}}};
}
