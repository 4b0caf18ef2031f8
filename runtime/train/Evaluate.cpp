#include "runtime/train/Evaluate.h"

#include "runtime/train/StepCall.h"

#include <cmath>
#include <map>

using namespace axloom::runtime;

Validation axloom::runtime::evaluate(Model &model, BatchSource &batches,
                                     const std::string &function, const std::string &loss) {
  StepCall call(model, function, loss);
  double sum = 0, count = 0;
  std::map<std::string, double> sums; // of the other results
  forEachBatch(batches, [&](const Batch &batch) {
    call.run(batch, 0, 0);
    const double *tokens = call.result("tokens");
    double counted = tokens ? *tokens : double(batch.labels.value_or(batch.tokens));
    sum += tokens ? call.loss() : call.loss() * counted;
    count += counted;
    for (const auto &[name, value] : call.others())
      sums[name] += value;
  });
  sums.erase("tokens");
  double mean = sum / count;
  Validation found{mean, {{"perplexity", std::exp(mean)}}};
  for (const auto &[name, total] : sums)
    found.metrics.emplace_back(name, total / count);
  return found;
}
