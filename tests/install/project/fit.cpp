// Fits y = 2 a - b + 0.5 c and checks that the loss vanishes and the weights are found.
#include "line.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using axloom::runtime::Model;
using axloom::runtime::View;

int main() {
  const std::array<float, 3> truth = {2.0f, -1.0f, 0.5f};
  constexpr int rows = 65;
  std::vector<float> x(rows * 3), y(rows, 0.0f); // x: [batch, input], y: [batch]
  for (int row = 0; row < rows; ++row)
    for (int input = 0; input < 3; ++input) {
      x[row * 3 + input] = std::sin(1.0f + float(7 * row + 3 * input * row));
      y[row] += truth[input] * x[row * 3 + input];
    }

  Model model(line_model);
  float loss = 0;
  for (int step = 0; step < 500; ++step)
    line::train_step::call(
        model,
        {.x = View<const float>(x.data(), {rows, 3}), .y = View<const float>(y.data(), {rows})},
        {.loss = View<float>(loss)});

  axloom::runtime::Tensor weights = model.variable("weight");
  View<float> weight = weights.view<float>();
  std::printf("loss %g, weights %g %g %g\n", loss, weight[0], weight[1], weight[2]);
  bool found = loss < 1e-8f;
  for (int input = 0; input < 3; ++input)
    found = found && std::abs(weight[input] - truth[input]) < 1e-3f;
  return found ? 0 : 1;
}
