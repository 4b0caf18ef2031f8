// Attention alone, as a user of the DSL writes it: a model without variables for the benchmark.
// Functions: attention, causal_attention (forward) and attention_gradient,
// causal_attention_gradient (forward and backward). With the option `bf16`, arguments are tensors
// of bf16; results are f32.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Names.h"

using namespace axloom;
using nn::Depth;
using nn::Heads;
using nn::ValueDepth;

namespace {

struct Batch : Axis<"batch"> {};
struct Query : Axis<"query"> {};
struct Key : Axis<"key"> {};

struct Sizes {
  Size batch, length, heads, depth;
  bool bf16; // elements of arguments
};

// An argument in f32: [batch, heads, length, depth]
template <class... Axes>
Tensor<Axes...> argument(Function &f, const std::string &name, const Sizes &s) {
  if (s.bf16)
    return cast<float>(f.argument<bfloat16, Axes...>(name, s.batch, s.heads, s.length, s.depth));
  return f.argument<float, Axes...>(name, s.batch, s.heads, s.length, s.depth);
}

// q: [batch, heads, query, depth], k: [.., key, depth], v: [.., key, value depth]
struct Operands {
  Operands(Function &f, const Sizes &s)
      : q(argument<Batch, Heads, Query, Depth>(f, "q", s)),
        k(argument<Batch, Heads, Key, Depth>(f, "k", s)),
        v(argument<Batch, Heads, Key, ValueDepth>(f, "v", s)) {}

  // softmax(Q K^T / sqrt(depth)) V
  Tensor<Batch, Heads, Query, ValueDepth> attend(bool causal) const {
    auto scores = contract<Depth>(q, k) / sqrt(size<Depth>(q));
    if (causal)
      return weighted(where(nn::causal<Query, Key>(size<Query>(q)), scores));
    return weighted(scores);
  }

  Tensor<Batch, Heads, Query, Depth> q;
  Tensor<Batch, Heads, Key, Depth> k;
  Tensor<Batch, Heads, Key, ValueDepth> v;

private:
  // scores: [batch, heads, query, key], masked or not
  template <class Scores>
  Tensor<Batch, Heads, Query, ValueDepth> weighted(const Scores &scores) const {
    return contract<Key>(softmax<Key>(scores), v);
  }
};

void addFunctions(Program &program, const std::string &name, const Sizes &s, bool causal) {
  program.function(name, [&](Function &f) {
    Operands operands(f, s);
    f.result<Batch, Heads, Query, ValueDepth>("y", operands.attend(causal));
  });
  program.function(name + "_gradient", [&](Function &f) {
    Operands operands(f, s);
    auto incoming = argument<Batch, Heads, Query, ValueDepth>(f, "incoming", s);
    auto y = operands.attend(causal);
    auto loss = sum<Batch, Heads, Query, ValueDepth>(y * incoming);
    f.result<Batch, Heads, Query, ValueDepth>("y", y);
    f.result<Batch, Heads, Query, Depth>("dq", gradient(loss, operands.q));
    f.result<Batch, Heads, Key, Depth>("dk", gradient(loss, operands.k));
    f.result<Batch, Heads, Key, ValueDepth>("dv", gradient(loss, operands.v));
  });
}

void build(Program &program, Options &options) {
  Sizes sizes{program.size("B", 1024), program.size("T", 4096), options.get("heads", 8),
              options.get("depth", 64), options.get("bf16", false)};
  addFunctions(program, "attention", sizes, /*causal=*/false);
  addFunctions(program, "causal_attention", sizes, /*causal=*/true);
}

} // namespace

int main(int argc, char **argv) { return generate(argc, argv, build); }
