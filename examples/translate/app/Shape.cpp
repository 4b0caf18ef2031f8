#include "examples/translate/app/Shape.h"

#include "examples/common/Tables.h"

namespace example {

ModelShape shapeOf(const axl_model &model) {
  needs(model, "train_step", {{"source", 2}, {"target_in", 2}, {"target_out", 2}, {"seed", 0}},
        {{"loss", 0}, {"tokens", 0}});
  needs(model, "evaluate", {{"source", 2}, {"target_in", 2}, {"target_out", 2}},
        {{"loss", 0}, {"tokens", 0}});
  needs(model, "encode", {{"source", 2}}, {});
  needs(model, "decode_step", {{"token", 1}, {"position", 0}}, {{"logits", 2}});
  return {
      .vocabulary = int32_t(largest(model, "decode_step", "logits", 1)),
      .sourceLength = largest(model, "train_step", "source", 1),
      .targetLength = largest(model, "train_step", "target_in", 1),
  };
}

} // namespace example
