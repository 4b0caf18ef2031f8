#include "examples/classify/app/Shape.h"

#include "examples/common/Tables.h"

namespace example {

ClassifierShape classifierShapeOf(const axl_model &model) {
  needs(model, "train_step", {{"tokens", 2}, {"labels", 1}, {"seed", 0}, {"steps", 0}},
        {{"loss", 0}});
  needs(model, "classify", {{"tokens", 2}}, {{"log_probabilities", 2}});
  return {
      .vocabulary = int32_t(extentOf(model, "embedding.word.weight", 0)),
      .classes = int32_t(largest(model, "classify", "log_probabilities", 1)),
      .length = largest(model, "classify", "tokens", 1),
      .batch = largest(model, "classify", "tokens", 0),
  };
}

} // namespace example
