#include "Common.h"

void cases(Program &program, Tensors t, AnyTensor any) {
  auto [q, k, scores, visible, ids, table] = t;
  auto weight = program.parameter<Depth>("weight", init::zeros(), 64);
  q += weight;
  any *= q;
#ifdef MISUSE
  weight += weight;            // variable_changes_only_by_assign
  q -= k;                      // value_has_extra_axis<Key>
  q *= any;                    // axes_of_right_operand_are_known_only_to_the_graph
  ids /= 0.5;                  // scalar_does_not_fit_element<double, int>
  ids += q;                    // operands_have_different_elements<int, float>
  q += where(visible, scores); // masked_value_is_only_for_softmax_max_sum_mean
#endif
}
