// Mistakes that are found when a compiled model is called; nothing has run when they are told.
#include "heads.h"

#include <cstdio>
#include <vector>

using axloom::runtime::Model;
using axloom::runtime::View;

template <class Call> static int expectError(Call call) {
  try {
    call();
  } catch (const axloom::runtime::Error &error) {
    std::printf("%s\n", error.what());
    return 0;
  }
  std::printf("this should have been an error\n");
  return 1;
}

int main() {
  Model model(heads_model);
  std::vector<float> x(300 * 64), y(x.size());
  auto apply = [&](std::initializer_list<int64_t> extents) {
    heads::apply::call(model, {.x = View<const float>(x.data(), extents)},
                       {.y = View<float>(y.data(), extents)});
  };
  return expectError([&] { apply({1, 7, 32}); }) + expectError([&] { apply({1, 300, 64}); }) +
         expectError([&] { model.call("aply", {}, {}); }) +
         expectError([&] { model.variable("attention.querry"); });
}
