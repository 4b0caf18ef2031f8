#include "examples/bert/app/Shape.h"

#include "examples/common/Tables.h"

namespace example {

PretrainingShape pretrainingShape(const axl_model &model) {
  for (const char *function : {"train_step", "evaluate"})
    needs(model, function,
          {{"tokens", 2}, {"segments", 2}, {"relation", 1}, {"targets", 1}, {"labels", 1}},
          {{"loss", 0}});
  needs(model, "evaluate", {}, {{"words_right", 0}, {"next_loss", 0}, {"next_right", 0}});
  needs(model, "fill", {{"tokens", 2}, {"segments", 2}, {"targets", 1}}, {{"logits", 2}});
  return {
      .vocabulary = int32_t(largest(model, "fill", "logits", 1)),
      .length = largest(model, "train_step", "tokens", 1),
      .pairs = largest(model, "train_step", "tokens", 0),
  };
}

} // namespace example
