// Learning rates that rise over a warm-up and then fall towards a last step.
#include "frontend/train/Schedule.h"
#include "frontend/GraphInternal.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

using namespace axloom;

namespace {
/// At most 0.5, after a warm-up of 4 steps.
struct Rates : Program {
  Rates() {
    function("rates", [&](Function &f) {
      auto done = f.argument<int>("done");
      auto steps = f.argument<int>("steps");
      f.result("linear", train::linearDecay(done, steps, 0.5, 4));
      f.result("cosine", train::cosineDecay(done, steps, 0.5, 4, 0.1));
    });
  }
};

class Schedule : public testing::Test {
protected:
  float rate(const char *kind, int32_t done, int32_t steps = 20) {
    float linear = 0, cosine = 0;
    model.call(
        "rates", {{"done", runtime::View<int32_t>(done)}, {"steps", runtime::View<int32_t>(steps)}},
        {{"linear", runtime::View<float>(linear)}, {"cosine", runtime::View<float>(cosine)}});
    return std::string(kind) == "linear" ? linear : cosine;
  }

  Rates program;
  test::CompiledExecutor executor;
  runtime::Model model{executor.compile(moduleOf(program))->model()};
};
} // namespace

TEST_F(Schedule, BothRiseInTheWarmUp) {
  for (const char *kind : {"linear", "cosine"}) {
    EXPECT_FLOAT_EQ(rate(kind, 0), 0.125) << kind;
    EXPECT_FLOAT_EQ(rate(kind, 3), 0.5) << kind;
    EXPECT_FLOAT_EQ(rate(kind, 4), 0.5) << kind;
    EXPECT_FLOAT_EQ(rate(kind, 1, /*steps=*/2), 0.25) << kind << ", fewer steps than the warm-up";
  }
}

TEST_F(Schedule, LinearFallsToZero) {
  EXPECT_FLOAT_EQ(rate("linear", 12), 0.25);
  EXPECT_FLOAT_EQ(rate("linear", 20), 0);
  EXPECT_FLOAT_EQ(rate("linear", 50), 0);
}

TEST_F(Schedule, CosineFallsToItsFloor) {
  for (int done = 4; done <= 20; ++done) {
    double share = (done - 4) / 16.0;
    double root = std::cos(std::numbers::pi / 2 * share);
    EXPECT_NEAR(rate("cosine", done), 0.1 + 0.4 * root * root, 1e-6) << done;
  }
  EXPECT_FLOAT_EQ(rate("cosine", 12), 0.3);
  EXPECT_FLOAT_EQ(rate("cosine", 20), 0.1);
  EXPECT_FLOAT_EQ(rate("cosine", 50), 0.1);
}
