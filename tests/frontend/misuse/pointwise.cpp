#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  exp(q + k * 2) < 1;
#if CASE == 1 // operands_have_different_elements<float, int>
  q + ids;
#elif CASE == 2 // operands_have_different_elements<int, float>
  maximum(ids, q);
#elif CASE == 3 // scalar_does_not_fit_element<double, int>
  ids * 0.5;
#elif CASE == 4 // scalar_does_not_fit_element<double, int>
  0.5 - ids;
#elif CASE == 5 // operand_must_be_boolean_but_is<float>
  q && q;
#elif CASE == 6 // operand_must_be_a_number_but_is<bool>
  visible + visible;
#elif CASE == 7 // operand_must_be_float_but_is<int>
  exp(ids);
#elif CASE == 8 // operand_must_be_float_but_is<bool>
  gelu(visible);
#elif CASE == 9 // operand_is_not_a_tensor<int>
  cast<float>(3);
#endif
}
