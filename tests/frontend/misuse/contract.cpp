#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  contract<Depth>(q, k);
#if CASE == 1 // left_operand_lacks_axis<Heads>
  contract<Heads>(q, k);
#elif CASE == 2 // left_operand_lacks_axis<Key>
  contract<Key>(q, k);
#elif CASE == 3 // right_operand_lacks_axis<Query>
  contract<Query>(q, k);
#elif CASE == 4 // right_operand_lacks_axis<Query>
  contract<Depth, Query>(q, k);
#elif CASE == 5 // no_axis_is_given
  contract<>(q, k);
#elif CASE == 6 // operand_is_not_a_tensor<double>
  contract<Depth>(q, 2.0);
#elif CASE == 7 // operands_have_different_elements<float, int>
  contract<Key>(k, ids);
#elif CASE == 8 // operand_must_be_float_but_is<int>
  contract<Key>(ids, ids);
#endif
}
