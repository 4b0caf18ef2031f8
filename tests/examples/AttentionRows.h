// What holds of attention weights: those of each query sum to 1 over what it may see, and are 0
// elsewhere.
#pragma once

#include "runtime/core/Tensor.h"

#include <gtest/gtest.h>

namespace example {

// weights: [batch, heads, query, key]; visible(text, query): how many keys, from the first.
template <class Visible>
void expectRows(const axloom::runtime::NamedTensor &weights, const Visible &visible) {
  ASSERT_EQ(weights.tensor.rank(), 4) << weights.name;
  auto extents = weights.tensor.extents();
  const float *weight = weights.tensor.view<float>().data();
  for (int64_t text = 0; text < extents[0]; ++text)
    for (int64_t row = 0; row < extents[1] * extents[2]; ++row) {
      int64_t query = row % extents[2], seen = visible(text, query);
      double sum = 0, rest = 0;
      for (int64_t key = 0; key < extents[3]; ++key)
        (key < seen ? sum : rest) += *weight++;
      EXPECT_NEAR(sum, 1, 1e-5) << weights.name << ", text " << text << ", row " << row;
      EXPECT_EQ(rest, 0) << weights.name << ", text " << text << ", row " << row;
    }
}

} // namespace example
