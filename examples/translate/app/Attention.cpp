#include "examples/translate/app/Attention.h"

#include "examples/common/Subwords.h"
#include "examples/common/Tables.h"
#include "runtime/core/Error.h"
#include "runtime/plot/AttentionMap.h"

#include <algorithm>
#include <filesystem>

using namespace axloom::runtime;

namespace example {
namespace {

constexpr const char *function = "attention";

} // namespace

void needsAttention(const axl_model &model) {
  needs(model, function, {{"source", 2}, {"target_in", 2}}, {});
}

void drawAttention(Model &model, const Vocabulary &vocabulary, const Translation &translation,
                   const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error(AXL_ERROR_FILE, concat("cannot make the folder '", folder, "': ", error.message()));
  // As in training: the source ends with the end token, the target begins with the begin token.
  std::vector<int32_t> source = translation.source, target = {Vocabulary::begin};
  source.push_back(Vocabulary::end);
  target.insert(target.end(), translation.target.begin(), translation.target.end());
  // The last token of a translation that found no end has not been looked from.
  size_t longest = size_t(largest(model.description(), function, "target_in", 1));
  target.resize(std::min(target.size(), longest));
  Tensor sources = batchOf(source), targets = batchOf(target);
  std::vector<NamedTensor> weights =
      model.run(function, {{"source", sources}, {"target_in", targets}});
  std::vector<std::string> from = unitsOf(vocabulary, source), to = unitsOf(vocabulary, target);
  auto draw = [&](const char *title, const AttentionTokens &tokens, const std::string &name) {
    writePicture(attentionMap(title, tokens, weights, name + "."), folder + "/" + name + ".png");
  };
  draw("What the encoder looks at", {from, from}, "encoder");
  draw("What the decoder looks at in its own text", {to, to}, "decoder");
  draw("What the decoder looks at in the source", {to, from}, "cross");
}

} // namespace example
