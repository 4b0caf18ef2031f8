// Steps with the gradients of several calls are those with the gradients of all of their rows at
// once.
#include "frontend/train/Accumulator.h"
#include "frontend/GraphInternal.h"
#include "frontend/train/Adam.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gmock/gmock.h>

using namespace axloom;
using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

namespace {
struct Row : Axis<"row"> {};
struct Column : Axis<"column"> {};

/// Adam on the mean of squares, in one call or in several. With a large epsilon a step depends on
/// how large gradients are: else a sum of them would do for their mean.
struct Trained : Program {
  explicit Trained(int calls) {
    Size R = size("R", 64);
    auto weight = parameter<Column>("weight", init::normal(0, 1), 5);
    auto bias = parameter<>("bias", init::normal(0, 1));
    train::Adam adam(scope("adam"), parameters(), {.epsilon = 1});
    train::Accumulator accumulator(scope("accumulator"), parameters(), calls);
    function("step", [&](Function &f) {
      auto x = f.argument<float, Row, Column>("x", R, 5);
      auto y = contract<Column>(x, weight) + bias;
      auto gradients = accumulator.add(gradient(mean<Row>(y * y), parameters()));
      when(accumulator.isDue(), [&] { adam.apply(gradients, constant(0.125f)); });
    });
  }
};

class Training {
public:
  explicit Training(int calls) : model(executor.compile(moduleOf(Trained(calls)))->model()) {}

  /// Rows `first` to `first + count` of a table that is made up.
  void step(int64_t first, int64_t count) {
    auto x = runtime::Tensor::of<float>({count, 5});
    for (int64_t i = 0; i < x.size(); ++i)
      x.view<float>()[i] = float((first * 5 + i) * 37 % 23) / 8 - 1;
    model.run("step", {{"x", x}});
  }
  std::vector<float> parameters() const {
    std::vector<float> all;
    for (const char *name : {"weight", "bias"}) {
      runtime::Tensor tensor = model.variable(name);
      auto view = tensor.view<float>();
      all.insert(all.end(), view.begin(), view.end());
    }
    return all;
  }
  int32_t stepsDone() const { return model.variable("adam.step").view<int32_t>()[0]; }

private:
  test::CompiledExecutor executor;
  runtime::Model model;
};
} // namespace

TEST(Accumulator, GivesTheStepsOfLargerBatches) {
  Training whole(1), parts(4);
  for (int64_t step = 0; step < 3; ++step) {
    std::vector<float> before = parts.parameters();
    whole.step(8 * step, 8);
    for (int64_t call = 0; call < 4; ++call) {
      EXPECT_THAT(parts.parameters(), ElementsAreArray(before)) << step << " " << call;
      EXPECT_EQ(parts.stepsDone(), step);
      parts.step(8 * step + 2 * call, 2);
    }
    EXPECT_EQ(parts.stepsDone(), step + 1);
    EXPECT_THAT(parts.parameters(), Pointwise(FloatNear(1e-5f), whole.parameters())) << step;
  }
}
