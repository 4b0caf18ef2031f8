#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  layer_norm<Depth>(q, sum<Batch, Query>(q), sum<Batch, Query>(q));
#if CASE == 1 // operand_lacks_axis<Key>
  layer_norm<Key>(q, q, q);
#elif CASE == 2 // scale_must_have_only_axis<Depth>
  layer_norm<Depth>(q, q, sum<Batch, Query>(q));
#elif CASE == 3 // offset_must_have_only_axis<Depth>
  layer_norm<Depth>(q, sum<Batch, Query>(q), table);
#endif
}
