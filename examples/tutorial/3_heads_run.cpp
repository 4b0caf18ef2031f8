// Parameters of a compiled model: their names, their values, and what follows from them.
#include "heads.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using axloom::runtime::Model;
using axloom::runtime::Tensor;
using axloom::runtime::View;

constexpr int positions = 7, width = 64;

// x: [position, model] -> the same
static std::vector<float> attend(Model &model, const std::vector<float> &x) {
  std::vector<float> y(x.size());
  heads::apply::call(model, {.x = View<const float>(x.data(), {1, positions, width})},
                     {.y = View<float>(y.data(), {1, positions, width})});
  return y;
}

// The positions in reverse order.
static std::vector<float> reversed(const std::vector<float> &x) {
  std::vector<float> y(x.size());
  for (int position = 0; position < positions; ++position)
    std::copy_n(&x[position * width], width, &y[(positions - 1 - position) * width]);
  return y;
}

static double difference(const std::vector<float> &a, const std::vector<float> &b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::fmax(most, std::abs(a[i] - b[i]));
  return most;
}

template <class Number> void set(Model &model, const char *variable, Number number) {
  Tensor value = model.variable(variable);
  for (int i = 0; i < value.size(); ++i)
    value.view<float>()[i] = number(i);
  model.writeVariable(variable, value);
}

static bool expect(bool holds, const char *what) {
  std::printf("%s: %s\n", what, holds ? "yes" : "NO");
  return holds;
}

int main() try {
  Model model(heads_model, /*seed=*/1);
  for (int i = 0; i < model.description().variable_count; ++i) {
    const char *name = model.description().variables[i].value.name;
    Tensor value = model.variable(name);
    std::printf("%-16s [%lld, %lld, %lld]\n", name, (long long)value.extent(0),
                (long long)value.extent(1), (long long)value.extent(2));
  }

  std::vector<float> x(positions * width);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(float(i * i));
  bool permutes = expect(difference(attend(model, reversed(x)), reversed(attend(model, x))) < 1e-5,
                         "outputs permute with their inputs");

  // Queries of zeros look everywhere alike. With identities as W^V and W^O, the output of every
  // position then is the mean of all inputs.
  auto identity = [](int i) { return i / width == i % width ? 1.0f : 0.0f; };
  set(model, "attention.query", [](int) { return 0.0f; });
  set(model, "attention.value", identity);
  set(model, "attention.output", identity);
  std::vector<float> mean(x.size(), 0.0f);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int position = 0; position < positions; ++position)
      mean[i] += x[position * width + i % width] / positions;
  bool averages = expect(difference(attend(model, x), mean) < 1e-5, "without queries, a mean");
  return permutes && averages ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
