#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  gather<Vocabulary>(table, ids);
#if CASE == 1 // operand_lacks_axis<Key>
  slice<Key>(q, 0, 1);
#elif CASE == 2 // operand_lacks_axis<Key>
  pad<Key>(q, 1, 1);
#elif CASE == 3 // operand_lacks_axis<Key>
  shift<Key>(q, 1);
#elif CASE == 4 // table_lacks_axis<Batch>
  gather<Batch>(table, ids);
#elif CASE == 5 // indices_already_have_axis<Key>
  gather<Key>(k, ids);
#elif CASE == 6 // indices_must_be_integers_but_are<float>
  gather<Vocabulary>(table, q);
#elif CASE == 7 // state_lacks_axis<Key>
  update<Key>(q, 0, q);
#elif CASE == 8 // value_already_has_axis<Key>
  update<Key>(k, 0, k);
#elif CASE == 9 // index_must_be_an_integer_but_is<double>
  update<Key>(k, 0.5, sum<Key>(k));
#endif
}
