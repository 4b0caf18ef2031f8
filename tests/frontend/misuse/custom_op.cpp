#include "Common.h"

#include "codegen/halide/CustomOp.h"

const CustomOp<float(float, int, bool)> op(
    {.name = "op",
     .body = [](auto x, auto count, auto keep) { return Halide::select(keep, x + count, 0.0f); },
     .reference = [](double x, double count, double keep) { return keep != 0 ? x + count : 0; }});

void cases(Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  Tensor<Batch, Depth, Key, Query> y = op(q, ids, visible);
  op(k, 3, true);
#ifdef MISUSE
  op(q, ids);                     // number_of_operands_is<3, 2>
  op(q, ids, visible, q);         // number_of_operands_is<3, 4>
  op(ids, ids, visible);          // operand_must_have_elements_but_has<float, int>
  op(q, k, visible);              // operand_must_have_elements_but_has<int, float>
  op(q, ids, scores);             // operand_must_have_elements_but_has<bool, float>
  op(q, 0.5, visible);            // scalar_does_not_fit_element<double, int>
  op(where(visible, k), 3, true); // masked_value_is_only_for_softmax_max_sum_mean
#endif
}
