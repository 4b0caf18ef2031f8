// Goes on with texts that say the same few tokens again and again: what follows a token is what
// followed it before.
#include "grouped.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using axloom::runtime::View;

int main() {
  constexpr int batch = 32, length = 24, period = 6, tokens = 40;
  axloom::runtime::Model model(grouped_model);
  std::mt19937 random(1);
  float loss = 0;
  for (int step = 0; step < 800; ++step) {
    std::vector<int> text(batch * length);
    for (int row = 0; row < batch; ++row)
      for (int i = 0; i < length; ++i)
        text[row * length + i] =
            i < period ? int(random() % tokens) : text[row * length + i - period];
    grouped::train_step::call(model, {.text = View<const int>(text.data(), {batch, length})},
                              {.loss = View<float>(loss)});
    if (step % 100 == 0)
      std::printf("step %3d  loss %.4f\n", step, loss);
  }
  // The first tokens are chance; five of them have to be guessed, of 23.
  double floor = std::log(double(tokens)) * (period - 1) / (length - 1);
  std::printf("loss %.4f, of which %.4f are chance\n", loss, floor);
  return loss < floor + 0.2 ? 0 : 1;
}
