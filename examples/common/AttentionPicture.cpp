#include "examples/common/AttentionPicture.h"

#include "examples/common/Tables.h"
#include "runtime/plot/AttentionMap.h"

#include <algorithm>

using namespace axloom::runtime;

namespace example {

void drawAttention(Model &model, const std::vector<int32_t> &ids,
                   const std::vector<std::string> &units, const std::string &path) {
  needs(model.description(), "attention", {{"tokens", 2}}, {});
  Tensor tokens(AXL_I32, {1, int64_t(ids.size())});
  std::ranges::copy(ids, tokens.view<int32_t>().data());
  std::vector<NamedTensor> weights = model.run("attention", {{"tokens", tokens}});
  writePicture(attentionMap("What each head looks at", {units, units}, weights), path);
}

} // namespace example
