// Step 3: multi-head attention as a module, that is, with parameters.
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"

using namespace axloom;

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};
struct Model : Axis<"model"> {};
struct Heads : Axis<"heads"> {};
struct Depth : Axis<"depth"> {};

class SelfAttention {
public:
  SelfAttention(const Scope &scope, const Size &width, const Size &heads) {
    Size depth = width / heads;
    auto start = init::normal(0, 1 / std::sqrt(width.constant()));
    query = scope.parameter<Heads, Depth, Model>("query", start, heads, depth, width);
    key = scope.parameter<Heads, Depth, Model>("key", start, heads, depth, width);
    value = scope.parameter<Heads, Depth, Model>("value", start, heads, depth, width);
    output = scope.parameter<Model, Heads, Depth>("output", start, width, heads, depth);
  }

  // x: [batch, position, model] -> the same
  auto operator()(const Tensor<Batch, Position, Model> &x) const {
    auto memory = rename<Position, Key>(x);
    auto q = contract<Model>(x, query);      // [batch, heads, position, depth]
    auto k = contract<Model>(memory, key);   // [batch, heads, key, depth]
    auto v = contract<Model>(memory, value); // [batch, heads, key, depth]
    auto weights = softmax<Key>(contract<Depth>(q, k) / sqrt(size<Depth>(q)));
    return contract<Heads, Depth>(contract<Key>(weights, v), output);
  }

private:
  Variable<SetOf<Heads, Depth, Model>, float> query, key, value, output;
};

void build(Program &program, Options &options) {
  Size B = program.size("B", 64), S = program.size("S", 256);
  int width = options.count("width", 64), heads = options.count("heads", 4);
  SelfAttention attention(program.scope("attention"), width, heads);
  program.function("apply", [&](Function &f) {
    auto x = f.argument<float, Batch, Position, Model>("x", B, S, width);
    f.result<Batch, Position, Model>("y", attention(x));
  });
}

int main(int argc, char **argv) { return generate(argc, argv, build); }
