// Trains until the network multiplies, then computes its predictions once more in double precision.
#include "gated.h"

#include "own_op.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>
#include <vector>

using axloom::runtime::Model;
using axloom::runtime::Tensor;
using axloom::runtime::View;

namespace {
constexpr int rows = 101, steps = 1000; // no multiple of a vector's length
constexpr float bound = 1e-3f;          // of the loss; products of such inputs have variance 1/9

struct Batch {
  std::vector<float> x = std::vector<float>(rows * 2), y = std::vector<float>(rows);

  explicit Batch(std::mt19937 &random) {
    for (float &value : x)
      value = float(random() >> 8) * 0x1p-23f - 1; // in [-1, 1)
    for (int row = 0; row < rows; ++row)
      y[row] = x[2 * row] * x[2 * row + 1];
  }
};

/// The largest difference between the compiled predictions and the reference.
double largestError(Model &model, Batch &batch) {
  std::vector<float> y(rows);
  own_op::predict::call(model, {.x = View<const float>(batch.x.data(), {rows, 2})},
                        {.y = View<float>(y.data(), {rows})});
  auto read = [&](const char *name) { return model.variable(name); };
  Tensor upWeight = read("up.weight"), upBias = read("up.bias"), gateWeight = read("gate.weight"),
         gateBias = read("gate.bias"), slope = read("slope"), down = read("down");
  auto linear = [](Tensor &weight, Tensor &bias, const float *x, int unit) {
    View<float> w = weight.view<float>(); // [hidden, input]
    return double(w[2 * unit]) * x[0] + double(w[2 * unit + 1]) * x[1] + bias.view<float>()[unit];
  };
  double worst = 0;
  for (int row = 0; row < rows; ++row) {
    const float *x = &batch.x[2 * row];
    double sum = 0;
    for (int unit = 0; unit < int(slope.view<float>().size()); ++unit)
      sum += down.view<float>()[unit] * gated::reference(linear(upWeight, upBias, x, unit),
                                                         linear(gateWeight, gateBias, x, unit),
                                                         slope.view<float>()[unit]);
    worst = std::fmax(worst, std::abs(sum - y[row]));
  }
  return worst;
}
} // namespace

int main(int argc, char **argv) try {
  Model model(own_op_model);
  std::mt19937 random(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1); // a seed may be given
  float loss = 0;
  for (int step = 1; step <= steps; ++step) {
    Batch batch(random);
    own_op::train_step::call(model,
                             {.x = View<const float>(batch.x.data(), {rows, 2}),
                              .y = View<const float>(batch.y.data(), {rows})},
                             {.loss = View<float>(loss)});
    if (step % 200 == 0)
      std::printf("step %4d  loss %.2g\n", step, loss);
  }
  Batch batch(random);
  double error = largestError(model, batch);
  std::printf("largest difference to double precision: %.2g\n", error);
  return loss < bound && error < 1e-5 ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
