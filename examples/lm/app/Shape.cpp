#include "examples/lm/app/Shape.h"

#include "examples/common/Tables.h"

namespace example {
namespace {

// hearing: the function whose texts count.
TextShape shapeOf(const axl_model &model, std::string_view hearing) {
  needs(model, "prefill", {{"tokens_in", 2}}, {});
  needs(model, "decode_step", {{"token", 1}, {"position", 1}}, {{"logits", 2}});
  return {
      .vocabulary = int32_t(largest(model, "decode_step", "logits", 1)),
      .length = largest(model, hearing, "tokens_in", 1),
      .batch = largest(model, hearing, "tokens_in", 0),
  };
}

} // namespace

TextShape generationShapeOf(const axl_model &model) { return shapeOf(model, "prefill"); }

TextShape trainingShapeOf(const axl_model &model) {
  needs(model, "train_step", {{"tokens_in", 2}, {"tokens_out", 2}, {"seed", 0}},
        {{"loss", 0}, {"tokens", 0}});
  needs(model, "evaluate", {{"tokens_in", 2}, {"tokens_out", 2}}, {{"loss", 0}, {"tokens", 0}});
  return shapeOf(model, "train_step");
}

} // namespace example
