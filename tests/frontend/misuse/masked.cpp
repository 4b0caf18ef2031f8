#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  softmax<Key>(where(visible, scores));
#ifdef MISUSE
  where(visible, scores) * 2;                 // masked_value_is_only_for_softmax_max_sum_mean
  -where(visible, scores);                    // masked_value_is_only_for_softmax_max_sum_mean
  exp(where(visible, scores));                // masked_value_is_only_for_softmax_max_sum_mean
  contract<Key>(where(visible, scores), k);   // masked_value_is_only_for_softmax_max_sum_mean
  min<Key>(where(visible, scores));           // masked_value_is_only_for_softmax_max_sum_mean
  rename<Key, Heads>(where(visible, scores)); // masked_value_is_only_for_softmax_max_sum_mean
  where(ids, scores);                         // mask_must_be_boolean_but_is<int>
  where(q, q, 0);                             // mask_must_be_boolean_but_is<float>
  where(visible, q, ids);                     // operands_have_different_elements<float, int>
#endif
}
