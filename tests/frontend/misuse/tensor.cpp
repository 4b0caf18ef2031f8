#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  Tensor<Query, Depth, Batch> same = q;
#ifdef MISUSE
  Tensor<Batch, Query, Depth, Heads> more = q; // value_lacks_axis<Heads>
  Tensor<Batch, Query> less = q;               // value_has_extra_axis<Depth>
  scores = contract<Depth>(q, k) + q;          // value_has_extra_axis<Depth>
#endif
}
