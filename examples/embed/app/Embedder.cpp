#include "examples/embed/app/Embedder.h"

#include "examples/common/AttentionPicture.h"
#include "examples/common/Subwords.h"
#include "examples/common/Tables.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <numeric>

using namespace axloom::runtime;

namespace example {

Embedder::Embedder(const axl_model &description, const std::string &folder,
                   const std::string &names)
    : model(description), vocabulary(loadPaddedWithZeros(folder + "/vocab.txt")),
      longest(largest(description, "embed", "tokens", 1)),
      batch(largest(description, "embed", "tokens", 0)) {
  importParameters(model, shardsOf(folder), NameTable::load(names));
  int64_t words = model.variable("embedding.word.weight").extent(0);
  if (vocabulary.size() != words)
    throw Error(AXL_ERROR_DATA, concat("the vocabulary in '", folder, "' has ", vocabulary.size(),
                                       " units, but the model's embedding has ", words));
}

std::vector<int32_t> Embedder::idsOf(const std::string &text, int64_t &cut) const {
  std::vector<int32_t> ids = vocabulary.encode(text);
  cut += enclose(ids, vocabulary.start(), vocabulary.separator(), longest);
  return ids;
}

std::vector<std::vector<float>> Embedder::embed(std::span<const std::string> texts, int64_t &cut) {
  std::vector<std::vector<int32_t>> ids;
  for (const std::string &text : texts)
    ids.push_back(idsOf(text, cut));
  // Texts of one length together, so that little is padding.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, {}, [&](size_t i) { return ids[i].size(); });
  std::vector<std::vector<float>> vectors(texts.size());
  for (size_t begin = 0; begin < order.size(); begin += size_t(batch)) {
    std::span some(order.begin() + long(begin), std::min(size_t(batch), order.size() - begin));
    Tensor tokens(AXL_I32, {int64_t(some.size()), int64_t(ids[some.back()].size())});
    for (size_t row = 0; row < some.size(); ++row)
      std::ranges::copy(ids[some[row]],
                        tokens.view<int32_t>().begin() + int64_t(row) * tokens.extent(1));
    auto results = model.run("embed", {{"tokens", tokens}});
    auto found = results[0].tensor.view<float>();
    int64_t width = results[0].tensor.extent(1);
    for (size_t row = 0; row < some.size(); ++row)
      vectors[some[row]].assign(found.begin() + int64_t(row) * width,
                                found.begin() + int64_t(row + 1) * width);
  }
  return vectors;
}

void Embedder::drawAttention(const std::string &text, const std::string &path, int64_t &cut) {
  std::vector<int32_t> ids = idsOf(text, cut);
  std::vector<std::string> units;
  for (int32_t id : ids)
    units.push_back(vocabulary.unit(id));
  example::drawAttention(model, ids, units, path);
}

} // namespace example
