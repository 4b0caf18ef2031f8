#include "Common.h"

void cases(Program &program, Function &f, Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  auto weight = program.parameter<Heads, Depth>("weight", init::zeros(), 8, 64);
  auto steps = program.state<int>("steps", init::zeros());
  auto loss = sum<Batch, Query, Depth>(q);
#ifdef MISUSE
  program.parameter<Heads, Depth>("other", init::zeros(), 8); // each_axis_needs_one_size<2, 1>
  f.argument<float, Batch>("x", 8, 64);                       // each_axis_needs_one_size<1, 2>
  program.state<float, Heads, Heads>("square", init::zeros(), 8, 8); // axis_is_named_twice<Heads>
  program.session<float, Heads>("cache");        // each_axis_needs_one_size<1, 0>
  f.argument<long, Batch>("n", 8);               // element_type_is_not_supported<long
  program.state<char>("n", init::zeros());       // element_type_is_not_supported<char>
  program.session<unsigned, Heads>("n", 8);      // element_type_is_not_supported<unsigned int>
  program.stateLike(steps, "n", init::zeros());  // operands_have_different_elements<float, int>
  f.result<Batch, Query, Key>("q", q);           // value_lacks_axis<Key>
  f.result<Batch, Query>("q", q);                // value_has_extra_axis<Depth>
  assign(weight, weight * sum<Query, Depth>(q)); // value_has_extra_axis<Batch>
  assign(weight, ids);                           // operands_have_different_elements<float, int>
  when(loss, [] {});                             // mask_must_be_boolean_but_is<float>
  when(visible, [] {});                          // value_has_extra_axis<Batch>
  when(true, [] {});                             // operand_is_not_a_tensor<bool>
  gradient(q, weight);                           // loss_must_have_no_axes_but_is
  gradient(q, program.parameters());             // loss_must_have_no_axes_but_is
  gradient(loss, ids);                           // operand_must_be_float_but_is<int>
#endif
  gradient(loss, weight);
}
