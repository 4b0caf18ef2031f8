#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  sum<Query, Key>(scores);
#ifdef MISUSE
  sum<Heads>(q);         // operand_lacks_axis<Heads>
  max<Query, Heads>(q);  // operand_lacks_axis<Heads>
  min<Key>(q);           // operand_lacks_axis<Key>
  mean<Key>(q);          // operand_lacks_axis<Key>
  argmax<Key>(q);        // operand_lacks_axis<Key>
  sum<>(q);              // no_axis_is_given
  mean<Depth, Depth>(q); // axis_is_named_twice<Depth>
  sum<Key>(visible);     // operand_must_be_float_but_is<bool>
  size<Key>(q);          // operand_lacks_axis<Key>
#endif
}
