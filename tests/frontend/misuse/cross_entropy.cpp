#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  cross_entropy<Query>(scores, ids);
#if CASE == 1 // logits_lack_axis<Vocabulary>
  cross_entropy<Vocabulary>(scores, ids);
#elif CASE == 2 // labels_already_have_axis<Key>
  cross_entropy<Key>(scores, ids);
#elif CASE == 3 // labels_must_be_integers_but_are<float>
  cross_entropy<Key>(scores, q);
#endif
}
