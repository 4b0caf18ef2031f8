#include "examples/embed/model.h"

#include "frontend/Axloom.h"
#include "frontend/nn/Bert.h"
#include "frontend/nn/Masks.h"

using namespace axloom;
using nn::Model;

namespace {

struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};

constexpr int padding = 0;

} // namespace

void embed::build(Program &program, Options &options) {
  int width = options.count("width", 384), heads = options.count("heads", 12);
  nn::BertOptions size{.words = options.count("vocabulary", 30522),
                       .places = options.count("places", 512),
                       .layers = options.count("layers", 6),
                       .layer =
                           nn::BertOptions::layerOf(width, heads, options.count("hidden", 1536))};
  nn::Bert<> bert(program, size);
  Size B = program.size("B", options.count("batch", 256));
  Size S = program.size("S", options.count("places", 512));
  program.function("embed", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", B, S);
    auto real = nn::real(tokens, padding);
    auto x = bert.apply<Position, Key>(tokens, constant(0), rename<Position, Key>(real), {});
    auto pooled = mean<Position>(where(real, x));    // [batch, model]
    auto length = sqrt(sum<Model>(pooled * pooled)); // 0 where no token is real
    f.result<Batch, Model>("embedding", pooled / maximum(length, 1e-12));
  });
  program.function("attention", [&](Function &f) {
    auto tokens = f.argument<int, Batch, Position>("tokens", B, S);
    auto visible = rename<Position, Key>(nn::real(tokens, padding));
    auto seen = bert.applyWithWeights<Position, Key>(tokens, constant(0), visible, {});
    for (std::size_t i = 0; i < seen.weights.size(); ++i)
      f.result<Batch, nn::Heads, Position, Key>("encoder." + std::to_string(i), seen.weights[i]);
  });
}
