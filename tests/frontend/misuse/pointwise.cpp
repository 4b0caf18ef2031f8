#include "Common.h"

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  exp(q + k * 2) < 1;
  q == k;
  k != q;
  scores == scores;
#ifdef MISUSE
  q + ids;            // operands_have_different_elements<float, int>
  maximum(ids, q);    // operands_have_different_elements<int, float>
  ids * 0.5;          // scalar_does_not_fit_element<double, int>
  0.5 - ids;          // scalar_does_not_fit_element<double, int>
  q == ids;           // operands_have_different_elements<float, int>
  0.5 != ids;         // scalar_does_not_fit_element<double, int>
  visible != visible; // operand_must_be_a_number_but_is<bool>
  auto both = q && q; // operand_must_be_boolean_but_is<float>
  visible + visible;  // operand_must_be_a_number_but_is<bool>
  -visible;           // operand_must_be_a_number_but_is<bool>
  !q;                 // operand_must_be_boolean_but_is<float>
  exp(ids);           // operand_must_be_float_but_is<int>
  pow(ids, 2);        // operand_must_be_float_but_is<int>
  gelu(visible);      // operand_must_be_float_but_is<bool>
  gelu_tanh(visible); // operand_must_be_float_but_is<bool>
  silu(visible);      // operand_must_be_float_but_is<bool>
  cast<unsigned>(q);  // element_type_is_not_supported<unsigned int>
  cast<float>(3);     // operand_is_not_a_tensor<int>
#endif
}
