#include "Common.h"

void cases(nn::Linear<Depth, Heads> linear, nn::LayerNorm<Depth> norm, Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  norm(rename<Heads, Depth>(linear(q)));
#if CASE == 1 // operand_lacks_axis<Depth>
  linear(scores);
#elif CASE == 2 // operand_lacks_axis<Depth>
  norm(scores);
#endif
}
