#include "Common.h"

void cases(Tensors t, Size S, Randomness randomness) {
  auto [q, k, scores, visible, ids, table] = t;
  random(ids, randomness);
  iota<Key, Batch>(S.raggedOver<Batch>(), 8);
#ifdef MISUSE
  random(8, randomness);                      // operand_is_not_a_tensor<int>
  random(where(visible, scores), randomness); // masked_value_is_only_for_softmax_max_sum_mean
  dropout(ids, 0.5, randomness);              // operand_must_be_float_but_is<int>
  iota<Batch, Batch>(S, 8);                   // axis_is_named_twice<Batch>
  constant("1");                              // operand_must_be_a_number_but_is<char
  constant(q);                                // operand_must_be_a_number_but_is
  broadcast<Key>(k, 8);                       // operand_already_has_axis<Key>
#endif
}
