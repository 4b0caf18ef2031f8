#include "examples/common/AttentionPicture.h"

#include "examples/common/Subwords.h"
#include "examples/common/Tables.h"
#include "runtime/plot/AttentionMap.h"

using namespace axloom::runtime;

namespace example {

void drawAttention(Model &model, const std::vector<int32_t> &ids,
                   const std::vector<std::string> &units, const std::string &path) {
  needs(model.description(), "attention", {{"tokens", 2}}, {});
  Tensor tokens = batchOf(ids);
  std::vector<NamedTensor> weights = model.run("attention", {{"tokens", tokens}});
  writePicture(attentionMap("What each head looks at", {units, units}, weights), path);
}

} // namespace example
