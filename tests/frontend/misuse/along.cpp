#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  gather<Vocabulary>(table, ids);
  concat<Depth>(q, q);
#ifdef MISUSE
  slice<Key>(q, 0, 1);              // operand_lacks_axis<Key>
  concat<Key>(q, k);                // left_operand_lacks_axis<Key>
  concat<Query>(q, k);              // right_operand_lacks_axis<Query>
  concat<Depth>(q, k);              // right_operand_lacks_axis<Query>
  concat<Batch>(ids, q);            // operands_have_different_elements<int, float>
  concat<Depth>(q, 1);              // operand_is_not_a_tensor<int>
  pad<Key>(q, 1, 1);                // operand_lacks_axis<Key>
  shift<Key>(q, 1);                 // operand_lacks_axis<Key>
  gather<Batch>(table, ids);        // table_lacks_axis<Batch>
  gather<Key>(k, ids);              // indices_already_have_axis<Key>
  gather<Vocabulary>(table, q);     // indices_must_be_integers_but_are<float>
  update<Key>(q, 0, q);             // state_lacks_axis<Key>
  update<Key>(k, 0, k);             // value_already_has_axis<Key>
  update<Key>(k, 0.5, sum<Key>(k)); // index_must_be_an_integer_but_is<double>
#endif
}
