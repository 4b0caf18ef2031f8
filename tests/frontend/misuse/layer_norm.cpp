#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  layer_norm<Depth>(q, sum<Batch, Query>(q), sum<Batch, Query>(q));
#ifdef MISUSE
  layer_norm<Key>(q, q, q);                          // operand_lacks_axis<Key>
  layer_norm<Depth>(q, q, sum<Batch, Query>(q));     // scale_must_have_only_axis<Depth>
  layer_norm<Depth>(q, sum<Batch, Query>(q), table); // offset_must_have_only_axis<Depth>
#endif
}
