#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  softmax<Key>(where(visible, scores));
#if CASE == 1 // masked_value_is_only_for_softmax_max_sum_mean
  where(visible, scores) * 2;
#elif CASE == 2 // masked_value_is_only_for_softmax_max_sum_mean
  exp(where(visible, scores));
#elif CASE == 3 // masked_value_is_only_for_softmax_max_sum_mean
  contract<Key>(where(visible, scores), k);
#elif CASE == 4 // masked_value_is_only_for_softmax_max_sum_mean
  min<Key>(where(visible, scores));
#elif CASE == 5 // masked_value_is_only_for_softmax_max_sum_mean
  rename<Key, Heads>(where(visible, scores));
#elif CASE == 6 // mask_must_be_boolean_but_is<int>
  where(ids, scores);
#elif CASE == 7 // mask_must_be_boolean_but_is<float>
  where(q, q, 0);
#elif CASE == 8 // operands_have_different_elements<float, int>
  where(visible, q, ids);
#endif
}
