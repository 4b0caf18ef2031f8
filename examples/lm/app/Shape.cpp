#include "examples/lm/app/Shape.h"

#include "examples/common/Tables.h"

namespace example {

TextShape textShapeOf(const axl_model &model) {
  needs(model, "train_step", {{"tokens_in", 2}, {"tokens_out", 2}, {"seed", 0}},
        {{"loss", 0}, {"tokens", 0}});
  needs(model, "evaluate", {{"tokens_in", 2}, {"tokens_out", 2}}, {{"loss", 0}, {"tokens", 0}});
  needs(model, "prefill", {{"tokens_in", 2}}, {});
  needs(model, "decode_step", {{"token", 1}, {"position", 1}}, {{"logits", 2}});
  return {
      .vocabulary = int32_t(largest(model, "decode_step", "logits", 1)),
      .length = largest(model, "train_step", "tokens_in", 1),
      .batch = largest(model, "train_step", "tokens_in", 0),
  };
}

} // namespace example
