// An encoder whose few latent vectors look at a long input (as in Perceiver, Jaegle et al. 2021):
// attention costs latents x length instead of length x length.
#include "models.h"

#include "frontend/nn/Embedding.h"
#include "frontend/nn/Masks.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/Transformer.h"

using namespace axloom;
using nn::Model;

namespace {

struct Batch : Axis<"batch"> {};
struct Input : Axis<"input"> {};   // positions of the long input
struct Latent : Axis<"latent"> {}; // the few vectors
struct Other : Axis<"other"> {};   // latents that a latent looks at
struct Vocabulary : Axis<"vocabulary"> {};
struct Class : Axis<"class"> {};

constexpr int padding = 0, vocabulary = 32, width = 32, latents = 4, heads = 2;
constexpr int depth = width / heads, classes = 4;

} // namespace

void generality::latents(Program &program, Options &options) {
  Size B = program.size("B", 128), S = program.size("S", 2048);
  nn::Embedding<Vocabulary, Model> table(program.scope("embedding"), vocabulary, width,
                                         init::normal(0, 1));
  auto start = program.scope("latents").parameter<Latent, Model>("weight", init::normal(0, 1),
                                                                 ::latents, width);
  nn::LayerNorm<Model> norm(program.scope("norm"), width);
  nn::MultiHeadAttention<> look(program.scope("look"), {width, heads, depth, depth});
  std::vector<nn::EncoderLayer<>> layers;
  for (int i = 0; i < options.count("layers", 1); ++i)
    layers.push_back(nn::EncoderLayer<>(program.scope("layers").scope(i), {.model = width,
                                                                           .heads = heads,
                                                                           .depth = depth,
                                                                           .valueDepth = depth,
                                                                           .hidden = 2 * width}));
  nn::Linear<Model, Class> answer(program.scope("answer"), width, classes);

  addTraining(program, [&](Function &f) {
    auto text = f.argument<int, Batch, Input>("text", B, S);
    auto x = table(text) + nn::sinusoids(iota<Input>(S), width); // [batch, input, model]
    // The latents are the same for each text until they have looked at it.
    Tensor<Batch, Latent, Model> z =
        norm(start + look.attend<Input>(start, look.project(x), nn::real(text, padding)));
    for (const auto &layer : layers)
      z = layer.apply<Latent, Other>(z, constant(true), {});
    auto logits = answer(mean<Latent>(z));
    return mean<Batch>(cross_entropy<Class>(logits, f.argument<int, Batch>("class", B)));
  });
}
