#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  cross_entropy<Query>(scores, ids);
#ifdef MISUSE
  cross_entropy<Vocabulary>(scores, ids); // logits_lack_axis<Vocabulary>
  cross_entropy<Key>(scores, ids);        // labels_already_have_axis<Key>
  cross_entropy<Key>(scores, q);          // labels_must_be_integers_but_are<float>
#endif
}
