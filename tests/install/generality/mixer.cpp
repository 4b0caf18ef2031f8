// An MLP-Mixer (Tolstikhin et al. 2021): no attention; one perceptron mixes the patches of a
// picture, channel by channel, another one the channels, patch by patch.
#include "models.h"

#include "frontend/nn/FeedForward.h"
#include "frontend/nn/LayerNorm.h"
#include "frontend/nn/Linear.h"

using namespace axloom;
using nn::Model;

namespace {

struct Batch : Axis<"batch"> {};
struct Patch : Axis<"patch"> {};
struct Pixel : Axis<"pixel"> {};
struct PatchHidden : Axis<"patch_hidden"> {};
struct Class : Axis<"class"> {};

constexpr int patches = 16, pixels = 4, width = 32, patchHidden = 24, hidden = 64, classes = 2;

class Layer {
public:
  explicit Layer(const Scope &scope)
      : patchNorm(scope.scope("patches.norm"), width),
        mixPatches(scope.scope("patches"), patches, patchHidden,
                   {.activation = nn::Activation::Gelu}),
        modelNorm(scope.scope("channels.norm"), width),
        mixChannels(scope.scope("channels"), width, hidden, {.activation = nn::Activation::Gelu}) {}

  // x: [batch, patch, model] -> the same
  auto operator()(const Tensor<Batch, Patch, Model> &x) const {
    auto y = x + mixPatches(patchNorm(x));
    return y + mixChannels(modelNorm(y));
  }

private:
  nn::LayerNorm<Model> patchNorm;
  nn::FeedForward<Patch, PatchHidden> mixPatches;
  nn::LayerNorm<Model> modelNorm;
  nn::FeedForward<Model, nn::Hidden> mixChannels;
};

} // namespace

void generality::mixer(Program &program, Options &options) {
  Size B = program.size("B", 128);
  nn::Linear<Pixel, Model> embedding(program.scope("embedding"), pixels, width);
  std::vector<Layer> layers;
  for (int i = 0; i < options.count("layers", 2); ++i)
    layers.push_back(Layer(program.scope("layers").scope(i)));
  nn::LayerNorm<Model> norm(program.scope("norm"), width);
  nn::Linear<Model, Class> answer(program.scope("answer"), width, classes);

  addTraining(program, [&](Function &f) {
    Tensor<Batch, Patch, Model> x =
        embedding(f.argument<float, Batch, Patch, Pixel>("picture", B, patches, pixels));
    for (const Layer &layer : layers)
      x = layer(x);
    auto logits = answer(mean<Patch>(norm(x)));
    return mean<Batch>(cross_entropy<Class>(logits, f.argument<int, Batch>("class", B)));
  });
}
