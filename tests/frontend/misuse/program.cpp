#include "Common.h"

void cases(Program &program, Function &f, Tensors t) {
  auto [q, k, scores, visible, ids, table] = t;
  auto weight = program.parameter<Heads, Depth>("weight", init::zeros(), 8, 64);
  auto loss = sum<Batch, Query, Depth>(q);
#if CASE == 1 // each_axis_needs_one_size<2, 1>
  program.parameter<Heads, Depth>("other", init::zeros(), 8);
#elif CASE == 2 // each_axis_needs_one_size<1, 2>
  f.argument<float, Batch>("x", 8, 64);
#elif CASE == 3 // axis_is_named_twice<Heads>
  program.state<float, Heads, Heads>("square", init::zeros(), 8, 8);
#elif CASE == 4 // each_axis_needs_one_size<1, 0>
  program.session<float, Heads>("cache");
#elif CASE == 5 // value_lacks_axis<Key>
  f.result<Batch, Query, Key>("q", q);
#elif CASE == 6 // value_has_extra_axis<Depth>
  f.result<Batch, Query>("q", q);
#elif CASE == 7 // value_has_extra_axis<Batch>
  assign(weight, weight * sum<Query, Depth>(q));
#elif CASE == 8 // operands_have_different_elements<float, int>
  assign(weight, ids);
#elif CASE == 9 // loss_must_have_no_axes_but_is
  gradient(q, weight);
#elif CASE == 10 // loss_must_have_no_axes_but_is
  gradient(q, program.parameters());
#endif
  gradient(loss, weight);
}
