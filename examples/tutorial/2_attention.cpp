// Step 2: scaled dot-product attention with two masks.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"

using namespace axloom;

struct Batch : Axis<"batch"> {};
struct Query : Axis<"query"> {}; // positions that look
struct Key : Axis<"key"> {};     // positions that are looked at
struct Depth : Axis<"depth"> {};

// q: [batch, query, depth], k and v: [batch, key, depth], visible: any of [batch, query, key]
template <class M>
auto attention(const Tensor<Batch, Query, Depth> &q, const Tensor<Batch, Key, Depth> &k,
               const Tensor<Batch, Key, Depth> &v, const M &visible) {
  auto scores = contract<Depth>(q, k) / sqrt(size<Depth>(q)); // [batch, query, key]
  auto weights = softmax<Key>(where(visible, scores));        // nothing visible: zeros
  return contract<Key>(weights, v);                           // [batch, query, depth]
}

void build(Program &program, Options &options) {
  Size B = program.size("B", 64), S = program.size("S", 256);
  int depth = options.count("depth", 16);
  program.function("attend", [&](Function &f) {
    auto q = f.argument<float, Batch, Query, Depth>("q", B, S, depth);
    auto k = f.argument<float, Batch, Key, Depth>("k", B, S, depth);
    auto v = f.argument<float, Batch, Key, Depth>("v", B, S, depth);
    auto length = f.argument<int, Batch>("length", B); // words; the rest is padding
    auto real = iota<Key>(S) < length;                 // [batch, key]
    auto past = iota<Key>(S) <= iota<Query>(S);        // [query, key]
    f.result<Batch, Query, Depth>("y", attention(q, k, v, real && past));
  });
}

int main(int argc, char **argv) { return generate(argc, argv, build); }
