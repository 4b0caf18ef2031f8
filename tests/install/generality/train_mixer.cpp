// Tells pictures with a horizontal line from those with a vertical one.
#include "mixer.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using axloom::runtime::View;

int main() {
  constexpr int batch = 32, side = 8, patches = 16, pixels = 4; // patches of 2 x 2
  axloom::runtime::Model model(mixer_model);
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0, 0.3f);
  float loss = 0;
  for (int step = 0; step < 300; ++step) {
    std::vector<float> picture(batch * patches * pixels);
    std::vector<int> isVertical(batch);
    for (int row = 0; row < batch; ++row) {
      isVertical[row] = int(random() % 2);
      int line = int(random() % side);
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          int patch = (y / 2) * (side / 2) + x / 2, pixel = (y % 2) * 2 + x % 2;
          bool onLine = (isVertical[row] ? x : y) == line;
          picture[(row * patches + patch) * pixels + pixel] =
              noise(random) + (onLine ? 1.0f : 0.0f);
        }
    }
    mixer::train_step::call(model,
                            {.picture = View<const float>(picture.data(), {batch, patches, pixels}),
                             .class_ = View<const int>(isVertical.data(), {batch})},
                            {.loss = View<float>(loss)});
    if (step % 50 == 0)
      std::printf("step %3d  loss %.4f\n", step, loss);
  }
  std::printf("loss %.4f, chance is %.4f\n", loss, std::log(2.0));
  return loss < 0.1f ? 0 : 1;
}
