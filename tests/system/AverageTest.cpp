// Averages of the parameters over the steps of a training: that of the values after each step, and
// exchanged with the parameters in place.
#include "frontend/train/Average.h"
#include "frontend/GraphInternal.h"
#include "frontend/train/Adam.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <gmock/gmock.h>
#include <map>

using namespace axloom;
using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

namespace {
struct Row : Axis<"row"> {};
struct Column : Axis<"column"> {};

constexpr double decay = 0.75;

/// Two parameters of different shapes, trained with the same average.
struct Averaged : Program {
  Averaged() {
    auto weight = parameter<Row>("weight", init::normal(0, 1), 4);
    auto table = parameter<Column, Row>("table", init::normal(0, 1), 3, 4);
    train::Adam adam(scope("adam"), parameters(), {});
    train::Average average(scope("average"), parameters(), decay);
    function("step", [&](Function &f) {
      auto x = f.argument<float, Row>("x", 4);
      auto loss = sum<Row>(weight * weight * x) + sum<Row, Column>(table * x);
      average.update(adam.minimize(loss, constant(0.125f)));
    });
    function("exchange", [&](Function &) { average.exchange(); });
  }
};

class Average : public testing::Test {
protected:
  using Values = std::vector<float>;

  void step() {
    auto x = runtime::Tensor::of<float>({4});
    std::ranges::copy(std::array{1.0f, -2.0f, 0.5f, 3.0f}, x.view<float>().begin());
    model.run("step", {{"x", x}});
  }
  Values valuesOf(const std::string &name) const {
    runtime::Tensor tensor = model.variable(name);
    auto view = tensor.view<float>();
    return {view.begin(), view.end()};
  }
  Values averageOf(const std::string &name) const { return valuesOf("average.parameters." + name); }

  Averaged program;
  test::CompiledExecutor executor;
  runtime::Model model{executor.compile(moduleOf(program))->model()};
  const std::vector<std::string> names{"weight", "table"};
};
} // namespace

TEST_F(Average, WeighsTheValuesAfterEachStep) {
  std::map<std::string, std::vector<double>> sums;
  double weights = 0;
  for (int steps = 1; steps <= 3; ++steps) {
    step();
    weights = decay * weights + 1;
    for (const std::string &name : names) {
      Values values = valuesOf(name), expected;
      std::vector<double> &sum = sums[name];
      sum.resize(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        sum[i] = decay * sum[i] + values[i];
        expected.push_back(float(sum[i] / weights));
      }
      EXPECT_THAT(averageOf(name), Pointwise(FloatNear(2e-6f), expected))
          << name << " after step " << steps;
    }
  }
  EXPECT_EQ(model.variable("average.updates").view<int32_t>()[0], 3);
}

TEST_F(Average, ExchangedTwiceIsAsBefore) {
  step();
  step();
  std::map<std::string, Values> values, averages;
  for (const std::string &name : names) {
    values[name] = valuesOf(name);
    averages[name] = averageOf(name);
    ASSERT_NE(values[name], averages[name]);
  }
  model.call("exchange", {}, {});
  for (const std::string &name : names) {
    EXPECT_THAT(valuesOf(name), ElementsAreArray(averages[name]));
    EXPECT_THAT(averageOf(name), ElementsAreArray(values[name]));
  }
  model.call("exchange", {}, {});
  for (const std::string &name : names) {
    EXPECT_THAT(valuesOf(name), ElementsAreArray(values[name]));
    EXPECT_THAT(averageOf(name), ElementsAreArray(averages[name]));
  }
}
