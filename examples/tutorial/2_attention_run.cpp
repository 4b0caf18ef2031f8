// Calls the compiled attention and checks it against plain loops.
#include "masked_attention.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using axloom::runtime::View;

constexpr int batch = 2, positions = 5, depth = 16;
const int lengths[batch] = {4, 0}; // words of each sentence

// Row `query` of softmax(q k^T / sqrt(depth)) v, over the keys that it may see.
static std::vector<double> attend(const float *q, const float *k, const float *v, int length,
                                  int query) {
  std::vector<double> y(depth, 0.0);
  double sum = 0;
  for (int key = 0; key <= query && key < length; ++key) {
    double score = 0;
    for (int d = 0; d < depth; ++d)
      score += q[query * depth + d] * k[key * depth + d];
    double weight = std::exp(score / std::sqrt(depth));
    sum += weight;
    for (int d = 0; d < depth; ++d)
      y[d] += weight * v[key * depth + d];
  }
  for (double &number : y)
    number = sum > 0 ? number / sum : 0;
  return y;
}

int main() try {
  constexpr int size = batch * positions * depth;
  std::vector<float> q(size), k(size), v(size), y(size); // each [batch, position, depth]
  for (int i = 0; i < size; ++i) {
    q[i] = std::sin(float(i));
    k[i] = std::sin(float(2 * i));
    v[i] = std::cos(float(3 * i));
  }

  axloom::runtime::Model model(masked_attention_model);
  masked_attention::attend::call(model,
                                 {.q = View<const float>(q.data(), {batch, positions, depth}),
                                  .k = View<const float>(k.data(), {batch, positions, depth}),
                                  .v = View<const float>(v.data(), {batch, positions, depth}),
                                  .length = View<const int>(lengths, {batch})},
                                 {.y = View<float>(y.data(), {batch, positions, depth})});

  double worst = 0;
  for (int entry = 0; entry < batch; ++entry) {
    int at = entry * positions * depth;
    for (int query = 0; query < positions; ++query) {
      auto expected = attend(&q[at], &k[at], &v[at], lengths[entry], query);
      for (int d = 0; d < depth; ++d)
        worst = std::fmax(worst, std::abs(expected[d] - y[at + query * depth + d]));
    }
    std::printf("sentence of %d words: %.4f %.4f ...\n", lengths[entry], y[at], y[at + 1]);
  }
  std::printf("%s\n", worst < 1e-5 ? "as the loops say" : "WRONG");
  return worst < 1e-5 ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
