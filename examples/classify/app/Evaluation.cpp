#include "examples/classify/app/Evaluation.h"

#include "runtime/metrics/Interval.h"
#include "runtime/train/Progress.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace axloom::runtime;

namespace example {

Evaluation evaluateClassifier(Model &model, LabelledBatches &batches, const Labels &labels) {
  Evaluation evaluation{.loss = 0, .confusion = ConfusionMatrix(labels.names())};
  forEachBatch(batches, [&](Batch &batch) {
    auto results = model.run("classify", {{"tokens", batch.tensor("tokens")}});
    const Tensor &found = results[0].tensor; // [batch, class]
    auto truth = batch.tensor("labels").view<int32_t>();
    for (int64_t row = 0; row < batch.sentences; ++row) {
      // The model may have more classes than there are labels.
      std::span logs(found.view<float>().data() + row * found.extent(1), size_t(labels.size()));
      evaluation.loss -= double(logs[size_t(truth[row])]);
      evaluation.confusion.add(truth[row], std::ranges::max_element(logs) - logs.begin());
    }
  });
  evaluation.loss /= double(evaluation.confusion.total());
  return evaluation;
}

std::string accuracyText(const ConfusionMatrix &confusion) {
  int64_t total = confusion.total();
  auto [low, high] = wilsonInterval(std::llround(confusion.accuracy() * double(total)), total);
  return fmt::format("accuracy {:.2f} % ({:.2f} to {:.2f} with 95 % confidence) of {} texts",
                     100 * confusion.accuracy(), 100 * low, 100 * high, formatCount(total));
}

} // namespace example
