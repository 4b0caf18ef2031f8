// Compares a gradient with finite differences, then trains.
#include "classifier.h"

#include <algorithm>
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

constexpr int batch = 64, length = 12, words = 32, classes = 2, width = 64;

/// Random texts; in half of them the first word occurs again.
struct Texts {
  std::vector<int> words, labels; // [batch, position], [batch]

  explicit Texts(std::mt19937 &random) : words(batch * length), labels(batch) {
    for (int row = 0; row < batch; ++row) {
      int *text = &words[row * length];
      text[0] = int(random() % ::words);
      for (int i = 1; i < length; ++i)
        text[i] = (text[0] + 1 + int(random() % (::words - 1))) % ::words;
      labels[row] = int(random() % classes);
      if (labels[row])
        text[1 + random() % (length - 1)] = text[0];
    }
  }
  View<const int> text() const { return {words.data(), {batch, length}}; }
  View<const int> label() const { return {labels.data(), {batch}}; }
};

static float lossOf(Model &model, const Texts &texts, std::vector<float> &slope) {
  float loss = 0;
  classifier::slope::call(
      model, {.text = texts.text(), .label = texts.label()},
      {.loss = View<float>(loss), .slope = View<float>(slope.data(), {classes, width})});
  return loss;
}

// The largest difference between the gradient and (loss(w + h) - loss(w - h)) / 2h.
static double slopeError(Model &model, const Texts &texts) {
  std::vector<float> slope(classes * width), unused(classes * width);
  lossOf(model, texts, slope);
  Tensor weight = model.variable("answer.weight");
  double worst = 0;
  for (int i = 0; i < weight.size(); i += 13) {
    float &w = weight.view<float>()[i], old = w, h = 0.01f;
    w = old + h;
    model.writeVariable("answer.weight", weight);
    double above = lossOf(model, texts, unused);
    w = old - h;
    model.writeVariable("answer.weight", weight);
    double below = lossOf(model, texts, unused);
    w = old;
    worst = std::fmax(worst, std::abs((above - below) / (2 * h) - slope[i]));
  }
  model.writeVariable("answer.weight", weight);
  return worst;
}

int main(int argc, char **argv) try {
  Model model(classifier_model, /*seed=*/1);
  std::mt19937 random(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1); // a seed may be given

  bool right = slopeError(model, Texts(random)) < 1e-3;
  std::printf("the gradient is that of finite differences: %s\n", right ? "yes" : "NO");

  for (int step = 1; step <= 1000; ++step) {
    Texts texts(random);
    float loss = 0;
    classifier::train_step::call(model, {.text = texts.text(), .label = texts.label()},
                                 {.loss = View<float>(loss)});
    if (step == 1 || step % 200 == 0)
      std::printf("step %4d  loss %.3f\n", step, loss);
  }

  int correct = 0, asked = 0;
  for (; asked < 1024; asked += batch) {
    Texts texts(random);
    std::vector<int> found(batch);
    classifier::classify::call(model, {.text = texts.text()},
                               {.class_ = View<int>(found.data(), {batch})});
    for (int row = 0; row < batch; ++row)
      correct += found[row] == texts.labels[row];
  }
  std::printf("%.1f %% of %d new texts classified as they should be\n", 100.0 * correct / asked,
              asked);
  return right && correct > 0.96 * asked ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
