#include "Common.h"

void cases(nn::Linear<Depth, Heads> linear, nn::LayerNorm<Depth> norm,
           nn::Normalization<Depth> either, Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  norm(rename<Heads, Depth>(linear(q)));
  either(q);
#ifdef MISUSE
  linear(scores); // operand_lacks_axis<Depth>
  norm(scores);   // operand_lacks_axis<Depth>
  either(scores); // operand_lacks_axis<Depth>
#endif
}
