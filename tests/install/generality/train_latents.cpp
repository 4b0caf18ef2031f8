// Finds which of four signs stands somewhere in a long text.
#include "latents.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using axloom::runtime::View;

int main() {
  constexpr int batch = 32, longest = 200, signs = 4, words = 27;
  axloom::runtime::Model model(latents_model);
  std::mt19937 random(1);
  float loss = 0;
  for (int step = 0; step < 300; ++step) {
    std::vector<int> text(batch * longest, 0), sign(batch); // 0 is padding, 1 to 4 are signs
    for (int row = 0; row < batch; ++row) {
      int length = longest / 2 + int(random() % (longest / 2 + 1));
      for (int i = 0; i < length; ++i)
        text[row * longest + i] = 1 + signs + int(random() % words);
      sign[row] = int(random() % signs);
      text[row * longest + int(random() % length)] = 1 + sign[row];
    }
    latents::train_step::call(model,
                              {.text = View<const int>(text.data(), {batch, longest}),
                               .class_ = View<const int>(sign.data(), {batch})},
                              {.loss = View<float>(loss)});
    if (step % 50 == 0)
      std::printf("step %3d  loss %.4f\n", step, loss);
  }
  std::printf("loss %.4f, chance is %.4f\n", loss, std::log(4.0));
  return loss < 0.1f ? 0 : 1;
}
