// A weight that functions split in several ways: each packs it as it needs it, and keeps it so.
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gtest/gtest.h>

using namespace axloom;

namespace {
struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct In : Axis<"in"> {};
struct Out : Axis<"out"> {};
struct Heads : Axis<"heads"> {};
struct Depth : Axis<"depth"> {};

constexpr int64_t batch = 2, positions = 19, width = 48, columns = 640;

struct Functions : Program {
  Functions() {
    Size B = size("B", 8), S = size("S", 64);
    auto w = parameter<In, Out>("w", init::normal(0, 1), width, columns);
    auto input = [=](Function &f) {
      return f.argument<float, Batch, Position, In>("x", B, S, width);
    };
    function("whole",
             [&](Function &f) { f.result<Batch, Position, Out>("y", contract<In>(input(f), w)); });
    for (int depth : {64, 40, 128})
      function("by_" + std::to_string(depth), [&](Function &f) {
        auto y = contract<In>(input(f), split<Out, Heads, Depth>(w, depth));
        f.result<Batch, Heads, Position, Depth>("y", y);
      });
  }
};

std::vector<float> numbersOf(runtime::Model &model, const std::string &function) {
  runtime::Tensor x = runtime::Tensor::of<float>({batch, positions, width});
  for (int64_t i = 0; i < x.size(); ++i)
    x.view<float>()[size_t(i)] = float(i * 37 % 101 - 50) / 50;
  auto results = model.run(function, {{"x", x}});
  auto view = results.at(0).tensor.view<float>();
  return {view.begin(), view.end()};
}
} // namespace

TEST(SplitWeights, AreThoseOfTheWholeOne) {
  Functions program;
  test::CompiledExecutor executor;
  runtime::Model model(executor.compile(moduleOf(program))->model());
  std::vector<float> whole = numbersOf(model, "whole");
  for (int64_t depth : {64, 40, 128, 64}) { // the first one again, with what it has kept
    std::vector<float> split = numbersOf(model, "by_" + std::to_string(depth));
    const int64_t heads = columns / depth;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t s = 0; s < positions; ++s)
        for (int64_t column = 0; column < columns; ++column) {
          int64_t at = ((b * heads + column / depth) * positions + s) * depth + column % depth;
          ASSERT_NEAR(split[size_t(at)], whole[size_t((b * positions + s) * columns + column)],
                      1e-4)
              << "depth " << depth << ", column " << column;
        }
  }
}
