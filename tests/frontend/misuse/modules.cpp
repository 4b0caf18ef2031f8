#include "Common.h"

void cases(nn::Linear<Depth, Heads> linear, nn::LayerNorm<Depth> norm, Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  norm(rename<Heads, Depth>(linear(q)));
#ifdef MISUSE
  linear(scores); // operand_lacks_axis<Depth>
  norm(scores);   // operand_lacks_axis<Depth>
#endif
}
