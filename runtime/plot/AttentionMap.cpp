#include "runtime/plot/AttentionMap.h"

#include "runtime/core/Error.h"

using namespace axloom::runtime;

namespace {

// The number of heads, after checking the shape.
int64_t headsOf(const NamedTensor &layer, const AttentionTokens &tokens) {
  const Tensor &weights = layer.tensor;
  int32_t rank = weights.rank();
  bool known = weights.type() == AXL_F32 && (rank == 3 || (rank == 4 && weights.extent(0) == 1));
  if (known && weights.extent(rank - 2) == int64_t(tokens.queries.size()) &&
      weights.extent(rank - 1) == int64_t(tokens.keys.size()))
    return weights.extent(rank - 3);
  std::string found;
  for (int64_t extent : weights.extents())
    found += concat(found.empty() ? "" : ", ", extent);
  throw Error(AXL_ERROR_ARGUMENT,
              concat("attention weights '", layer.name, "' need f32 numbers [heads, ",
                     tokens.queries.size(), " queries, ", tokens.keys.size(),
                     " keys] of one text; they have extents [", found, "]"));
}

} // namespace

HeatMap axloom::runtime::attentionMap(const std::string &title, const AttentionTokens &tokens,
                                      std::span<const NamedTensor> results,
                                      std::string_view prefix) {
  HeatMap map;
  map.title = title;
  map.rows = {"query", tokens.queries, {}};
  map.columns = {"key", tokens.keys, {}};
  map.measure = "weight";
  auto cells = int64_t(tokens.queries.size() * tokens.keys.size());
  int64_t layer = 0;
  for (const NamedTensor &result : results) {
    if (!result.name.starts_with(prefix))
      continue;
    ++layer;
    int64_t heads = headsOf(result, tokens);
    if (layer > 1 && size_t(heads) != map.across)
      throw Error(AXL_ERROR_ARGUMENT, concat("attention weights '", result.name, "' are of ", heads,
                                             " heads, those of the layers before of ", map.across));
    map.across = size_t(heads);
    const float *weights = result.tensor.view<float>().data();
    for (int64_t head = 0; head < heads; ++head)
      map.panels.push_back({.title = concat("layer ", layer, ", head ", head + 1),
                            .values = {weights + head * cells, weights + (head + 1) * cells},
                            .texts = {}});
  }
  if (layer == 0)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("attention map '", title, "': no result's name begins with '", prefix,
                       "', so there are no weights to draw"));
  return map;
}
