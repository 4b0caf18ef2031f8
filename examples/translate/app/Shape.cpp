#include "examples/translate/app/Shape.h"

#include "examples/common/Tables.h"

namespace example {

ModelShape shapeOf(const axl_model &model) {
  std::optional<int64_t> source = longestEntry(model, "train_step", "S.lengths");
  std::optional<int64_t> target = longestEntry(model, "train_step", "T.lengths");
  bool packed = source && target;
  int32_t axes = packed ? 1 : 2;
  needs(model, "train_step",
        {{"source", axes}, {"target_in", axes}, {"target_out", axes}, {"seed", 0}},
        {{"loss", 0}, {"tokens", 0}});
  needs(model, "evaluate", {{"source", axes}, {"target_in", axes}, {"target_out", axes}},
        {{"loss", 0}, {"tokens", 0}});
  needs(model, "encode", {{"source", 2}}, {});
  needs(model, "decode_step", {{"token", 1}, {"position", 0}}, {{"logits", 2}});
  return {
      .vocabulary = int32_t(largest(model, "decode_step", "logits", 1)),
      .sourceLength = packed ? *source : largest(model, "train_step", "source", 1),
      .targetLength = packed ? *target : largest(model, "train_step", "target_in", 1),
      .batch = largest(model, "train_step", packed ? "S.lengths" : "source", 0),
      .packed = packed,
  };
}

} // namespace example
