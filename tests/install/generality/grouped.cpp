// A decoder as in Llama (Touvron et al. 2023): rotary positions, heads in groups that share keys
// and values, gated perceptrons, and normalization by the root mean square.
#include "models.h"

#include "frontend/nn/Attention.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/RmsNorm.h"

using namespace axloom;
using nn::Depth;
using nn::Heads;
using nn::Hidden;
using nn::Model;

namespace {

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};
struct Member : Axis<"member"> {}; // heads of a group
struct Token : Axis<"token"> {};

constexpr int tokens = 40, width = 32, heads = 2, members = 2, depth = 8, hidden = 48;

class Layer {
public:
  explicit Layer(const Scope &scope)
      : attentionNorm(scope.scope("attention.norm"), width),
        query(scope.scope("query"), width, {heads, members, depth}, false),
        key(scope.scope("key"), width, {heads, depth}, false),
        value(scope.scope("value"), width, {heads, depth}, false),
        output(scope.scope("output"), {heads, members, depth}, width, false),
        norm(scope.scope("norm"), width), gate(scope.scope("gate"), width, hidden, false),
        up(scope.scope("up"), width, hidden, false),
        down(scope.scope("down"), hidden, width, false) {}

  // x: [batch, position, model] -> the same
  auto operator()(const Tensor<Batch, Position, Model> &x) const {
    Size length = size<Position>(x);
    auto position = iota<Position>(length);
    auto seen = attentionNorm(x);
    auto keys = rename<Position, Key>(nn::rotary(key(seen), position));
    auto values = rename<Position, Key>(value(seen));
    nn::KeysValues<decltype(keys), decltype(values)> memory{keys, values};
    auto heard = nn::attention<Key, Depth>(nn::rotary(query(seen), position), memory,
                                           nn::causal<Position, Key>(length));
    auto y = x + output(heard);
    auto n = norm(y);
    auto g = gate(n);
    return y + down(g * sigmoid(g) * up(n));
  }

private:
  nn::RmsNorm<Model> attentionNorm;
  nn::Linear<Model, Axes<Heads, Member, Depth>> query;
  nn::Linear<Model, Axes<Heads, Depth>> key;
  nn::Linear<Model, Axes<Heads, nn::ValueDepth>> value;
  nn::Linear<Axes<Heads, Member, nn::ValueDepth>, Model> output;
  nn::RmsNorm<Model> norm;
  nn::Linear<Model, Hidden> gate, up;
  nn::Linear<Hidden, Model> down;
};

} // namespace

void generality::grouped(Program &program, Options &options) {
  Size B = program.size("B", 64), S = program.size("S", 64);
  auto table = program.parameter<Token, Model>("table", init::normal(0, 0.2), tokens, width);
  std::vector<Layer> layers;
  for (int i = 0; i < options.count("layers", 2); ++i)
    layers.push_back(Layer(program.scope("layers").scope(i)));
  nn::RmsNorm<Model> norm(program.scope("norm"), width);

  addTraining(program, [&](Function &f) {
    auto text = f.argument<int, Batch, Position>("text", B, S);
    Tensor<Batch, Position, Model> x = gather<Token>(table, text);
    for (const Layer &layer : layers)
      x = layer(x);
    auto losses = cross_entropy<Token>(contract<Model>(norm(x), table), shift<Position>(text, -1));
    return mean<Batch, Position>(where(iota<Position>(S) + 1 < S, losses)); // the last has no next
  });
}
