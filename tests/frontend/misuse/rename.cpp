#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  rename<Query, Key>(q);
#ifdef MISUSE
  rename<Key, Query>(q);               // operand_lacks_axis<Key>
  rename<Query, Depth>(q);             // operand_already_has_axis<Depth>
  split<Key, Heads, Vocabulary>(q, 8); // operand_lacks_axis<Key>
  split<Depth, Heads, Query>(q, 8);    // operand_already_has_axis<Query>
  split<Depth, Heads, Heads>(q, 8);    // axis_is_named_twice<Heads>
  merge<Heads, Depth, Vocabulary>(q);  // operand_lacks_axis<Heads>
  merge<Query, Depth, Batch>(q);       // operand_already_has_axis<Batch>
  broadcast<Batch>(q, 4);              // operand_already_has_axis<Batch>
#endif
}
