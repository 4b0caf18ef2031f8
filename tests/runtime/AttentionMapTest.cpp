// Attention weights, from a model's results to panels.
#include "runtime/plot/AttentionMap.h"
#include "tests/runtime/Expect.h"

#include <numeric>

using namespace axloom::runtime;
using testing::ElementsAre;

namespace {

AttentionTokens tokens() { return {{"a", "b"}, {"x", "y", "z"}}; }

// Counts up from `first`.
NamedTensor layer(const std::string &name, std::initializer_list<int64_t> extents, float first) {
  NamedTensor result{name, Tensor(AXL_F32, extents)};
  float *values = result.tensor.view<float>().data();
  std::iota(values, values + result.tensor.size(), first);
  return result;
}

TEST(AttentionMap, APanelForEachHeadALineForEachLayer) {
  std::vector<NamedTensor> results;
  results.push_back(layer("own.0", {1, 2, 2, 2}, 90));
  results.push_back(layer("cross.0", {1, 2, 2, 3}, 0));
  results.push_back(layer("cross.1", {2, 2, 3}, 20)); // without the batch
  HeatMap map = attentionMap("Cross-attention", tokens(), results, "cross.");
  EXPECT_EQ(map.title, "Cross-attention");
  EXPECT_EQ(map.rows.labels, tokens().queries);
  EXPECT_EQ(map.columns.labels, tokens().keys);
  EXPECT_EQ(map.across, 2u);
  ASSERT_EQ(map.panels.size(), 4u);
  EXPECT_EQ(map.panels[1].title, "layer 1, head 2");
  EXPECT_THAT(map.panels[1].values, ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_EQ(map.panels[2].title, "layer 2, head 1");
  EXPECT_THAT(map.panels[2].values, ElementsAre(20, 21, 22, 23, 24, 25));
}

TEST(AttentionMap, WeightsHaveToFitTheTokens) {
  std::vector<NamedTensor> results;
  results.push_back(layer("own.0", {3, 2, 2, 2}, 0));
  expectError(AXL_ERROR_ARGUMENT,
              "attention weights 'own.0' need f32 numbers [heads, 2 queries, 3 keys] of one text; "
              "they have extents [3, 2, 2, 2]",
              [&] { attentionMap("Own", tokens(), results); });
  std::vector<NamedTensor> uneven;
  uneven.push_back(layer("own.0", {2, 2, 3}, 0));
  uneven.push_back(layer("own.1", {4, 2, 3}, 0));
  expectError(AXL_ERROR_ARGUMENT,
              "attention weights 'own.1' are of 4 heads, those of the layers before of 2",
              [&] { attentionMap("Own", tokens(), uneven); });
  expectError(AXL_ERROR_ARGUMENT,
              "attention map 'Own': no result's name begins with 'cross.', so there are no weights "
              "to draw",
              [&] { attentionMap("Own", tokens(), results, "cross."); });
}

} // namespace
