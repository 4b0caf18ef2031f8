#include "examples/translate/app/Shape.h"

#include "examples/common/Tables.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <span>

using axloom::runtime::concat;
using axloom::runtime::Error;

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

void needsBeams(const axl_model &model, int64_t beams) {
  (void)batchSize("--beams", beams, 1, largest(model, "encode", "source", 0), "sentences");
  if (beams == 1)
    return;
  std::span functions(model.functions, size_t(model.function_count));
  if (std::ranges::none_of(functions, [](const axl_function &function) {
        return function.name == std::string_view("reorder");
      }))
    throw Error(AXL_ERROR_ARGUMENT,
                concat("--beams is ", beams, ", but the model '", model.name,
                       "' has no function 'reorder', with which one translation goes on in the "
                       "place of another: add it, as in examples/translate/model.cpp, or leave "
                       "--beams out"));
  needs(model, "reorder", {{"parent", 1}}, {});
}

} // namespace example
