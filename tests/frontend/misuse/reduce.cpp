#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  sum<Query, Key>(scores);
#if CASE == 1 // operand_lacks_axis<Heads>
  sum<Heads>(q);
#elif CASE == 2 // operand_lacks_axis<Heads>
  max<Query, Heads>(q);
#elif CASE == 3 // operand_lacks_axis<Key>
  min<Key>(q);
#elif CASE == 4 // operand_lacks_axis<Key>
  mean<Key>(q);
#elif CASE == 5 // operand_lacks_axis<Key>
  argmax<Key>(q);
#elif CASE == 6 // no_axis_is_given
  sum<>(q);
#elif CASE == 7 // operand_must_be_float_but_is<bool>
  sum<Key>(visible);
#elif CASE == 8 // operand_lacks_axis<Key>
  size<Key>(q);
#endif
}
