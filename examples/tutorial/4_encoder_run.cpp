// What holds of an encoder's layer, whatever its parameters are.
#include "encoder_layer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

using axloom::runtime::Model;
using axloom::runtime::View;

constexpr int width = 64;

// text: [batch, length] -> [batch, length, model]
static std::vector<float> encode(Model &model, const std::vector<int> &text, int length) {
  int batch = int(text.size()) / length;
  std::vector<float> y(text.size() * width);
  encoder_layer::encode::call(model, {.text = View<const int>(text.data(), {batch, length})},
                              {.y = View<float>(y.data(), {batch, length, width})});
  return y;
}

static bool expect(bool holds, const char *what) {
  std::printf("%s: %s\n", what, holds ? "yes" : "NO");
  return holds;
}

// LayerNorm is the last thing that the layer does.
static bool isNormalized(const float *vector) {
  double mean = 0, variance = 0;
  for (int i = 0; i < width; ++i)
    mean += vector[i] / width;
  for (int i = 0; i < width; ++i)
    variance += (vector[i] - mean) * (vector[i] - mean) / width;
  return std::abs(mean) < 1e-5 && std::abs(variance - 1) < 1e-3;
}

static bool sameBits(const float *a, const float *b, int count) {
  return std::equal(a, a + count, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

int main() try {
  Model model(encoder_layer_model, /*seed=*/1);
  std::vector<float> alone = encode(model, {5, 17, 5}, 3);
  std::vector<float> padded = encode(model, {5, 17, 5, 0, 0, /**/ 9, 8, 7, 6, 5}, 5);
  std::vector<float> changed = encode(model, {5, 17, 6}, 3);

  bool normal = true;
  for (int position = 0; position < 3; ++position)
    normal = normal && isNormalized(&alone[position * width]);
  normal = expect(normal, "each vector has mean 0 and variance 1");
  bool context = expect(!sameBits(alone.data(), changed.data(), width),
                        "another third word changes the first vector");
  bool bits = expect(sameBits(alone.data(), padded.data(), 3 * width),
                     "the same bits alone and in a padded batch");
  return normal && context && bits ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
