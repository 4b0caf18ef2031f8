#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  rename<Query, Key>(q);
#if CASE == 1 // operand_lacks_axis<Key>
  rename<Key, Query>(q);
#elif CASE == 2 // operand_already_has_axis<Depth>
  rename<Query, Depth>(q);
#elif CASE == 3 // operand_lacks_axis<Key>
  split<Key, Heads, Vocabulary>(q, 8);
#elif CASE == 4 // operand_already_has_axis<Query>
  split<Depth, Heads, Query>(q, 8);
#elif CASE == 5 // axis_is_named_twice<Heads>
  split<Depth, Heads, Heads>(q, 8);
#elif CASE == 6 // operand_lacks_axis<Heads>
  merge<Heads, Depth, Vocabulary>(q);
#elif CASE == 7 // operand_already_has_axis<Batch>
  merge<Query, Depth, Batch>(q);
#elif CASE == 8 // operand_already_has_axis<Batch>
  broadcast<Batch>(q, 4);
#endif
}
