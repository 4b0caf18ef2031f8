#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  Tensor<Query, Depth, Batch> same = q;
#if CASE == 1 // value_lacks_axis<Heads>
  Tensor<Batch, Query, Depth, Heads> wrong = q;
#elif CASE == 2 // value_has_extra_axis<Depth>
  Tensor<Batch, Query> wrong = q;
#elif CASE == 3 // value_has_extra_axis<Depth>
  scores = contract<Depth>(q, k) + q;
#endif
}
