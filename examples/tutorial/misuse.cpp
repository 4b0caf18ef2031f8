// A mistake that the C++ compiler finds: examples/README.md, "When something is wrong".
#include "frontend/Axloom.h"

using namespace axloom;

struct Batch : Axis<"batch"> {};
struct Query : Axis<"query"> {};
struct Key : Axis<"key"> {};
struct Depth : Axis<"depth"> {};

void scores(const Tensor<Batch, Query, Depth> &q, const Tensor<Batch, Key, Depth> &k) {
  contract<Depth>(q, k);
#ifdef MISUSE
  contract<Key>(q, k); // left_operand_lacks_axis<Key>
#endif
}
