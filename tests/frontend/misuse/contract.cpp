#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  contract<Depth>(q, k);
#ifdef MISUSE
  contract<Heads>(q, k);        // left_operand_lacks_axis<Heads>
  contract<Key>(q, k);          // left_operand_lacks_axis<Key>
  contract<Query>(q, k);        // right_operand_lacks_axis<Query>
  contract<Depth, Query>(q, k); // right_operand_lacks_axis<Query>
  contract<>(q, k);             // no_axis_is_given
  contract<Depth, Depth>(q, k); // axis_is_named_twice<Depth>
  contract<Depth>(q, 2.0);      // operand_is_not_a_tensor<double>
  contract<Key>(k, ids);        // operands_have_different_elements<float, int>
  contract<Key>(ids, ids);      // operand_must_be_float_but_is<int>
#endif
}
