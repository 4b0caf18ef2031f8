#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  softmax<Key>(scores);
#ifdef MISUSE
  softmax<Heads>(scores);                 // operand_lacks_axis<Heads>
  softmax<Heads>(where(visible, scores)); // operand_lacks_axis<Heads>
  log_softmax<Depth>(scores);             // operand_lacks_axis<Depth>
  softmax<Key>(ids);                      // operand_must_be_float_but_is<int>
#endif
}
