#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  softmax<Key>(scores);
#if CASE == 1 // operand_lacks_axis<Heads>
  softmax<Heads>(scores);
#elif CASE == 2 // operand_lacks_axis<Heads>
  softmax<Heads>(where(visible, scores));
#elif CASE == 3 // operand_lacks_axis<Depth>
  log_softmax<Depth>(scores);
#elif CASE == 4 // operand_must_be_float_but_is<int>
  softmax<Key>(ids);
#endif
}
