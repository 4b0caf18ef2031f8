// The gradient check that users have: right programs pass, and a wrong adjoint is told by tensor,
// place and line.

#include "codegen/driver/CheckGradients.h"

#include "codegen/driver/Generate.h"
#include "codegen/driver/RandomInputs.h"
#include "codegen/halide/CustomOp.h"
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "frontend/train/Adam.h"

#include <cmath>
#include <gmock/gmock.h>
#include <stdexcept>

using namespace axloom;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Query : Axis<"query"> {};
struct Key : Axis<"key"> {};
struct Model : Axis<"model"> {};
struct Hidden : Axis<"hidden"> {};
struct Vocabulary : Axis<"vocabulary"> {};

using Gate = CustomOp<float(float, float)>;

/// x * sigmoid(gate), whose adjoint is off by a factor for the gate.
Gate gateWithError(float factor) {
  return Gate({.name = "gate",
               .body = [](const auto &x, const auto &gate) { return x / (1 + exp(-gate)); },
               .reference = [](double x, double gate) { return x / (1 + std::exp(-gate)); },
               .adjoint =
                   [factor](auto, auto gate, auto y, auto g) {
                     auto s = sigmoid(gate);
                     return std::array{g * s, g * y * (1 - s) * factor};
                   }});
}

unsigned useOfGate = 0;

/// A classifier of tokens with a gated layer, an optimizer, and state that a random number would
/// spoil: the square root of a second moment.
void addTraining(Program &program, const Gate &gate) {
  Size B = program.size("B", 64), S = program.size("S", 64);
  auto table = program.parameter<Vocabulary, Model>("table", init::zeros(), 5, 4);
  auto up = program.parameter<Model, Hidden>("up", init::zeros(), 4, 3);
  auto slope = program.parameter<Hidden>("slope", init::zeros(), 3);
  program.function("train_step", [&](Function &f) {
    auto ids = f.argument<int, Batch, Position>("ids", B, S.raggedOver<Batch>());
    auto labels = f.argument<int, Batch>("labels", B);
    auto x = gather<Vocabulary>(table, ids);
    auto h = contract<Model>(x, up);
    useOfGate = __LINE__ + 1;
    auto gated = gate(h, h * slope);
    auto logits = sum<Position>(gated);
    auto loss = mean<Batch>(cross_entropy<Hidden>(logits, labels));
    train::Adam adam(program, program.parameters(), {});
    adam.minimize(loss, Tensor<>(cast<float>(adam.stepsDone())));
    f.result<>("loss", loss);
  });
}

std::vector<std::string> tensorsOf(const GradientReport &report, bool passed) {
  std::vector<std::string> names;
  for (const GradientCheck &check : report.checks)
    if (check.passed == passed)
      names.push_back(check.tensor);
  return names;
}
} // namespace

TEST(CheckGradients, RightOnesPass) {
  Program program;
  addTraining(program, gateWithError(1));
  GradientReport report = checkGradients(program);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_THAT(tensorsOf(report, true),
              ElementsAre("parameter 'table'", "parameter 'up'", "parameter 'slope'",
                          "operand 1 of custom op 'gate'", "operand 2 of custom op 'gate'"));
  for (const GradientCheck &check : report.checks)
    EXPECT_LT(check.error, 1e-8) << check.tensor;
  EXPECT_THAT(report.text(), HasSubstr("5 of 5 gradients agree with central differences\n"));
}

TEST(CheckGradients, AWrongAdjointIsToldByItsLine) {
  Program program;
  addTraining(program, gateWithError(1.01f));
  GradientReport report = checkGradients(program);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(tensorsOf(report, false),
              ElementsAre("parameter 'table'", "parameter 'up'", "parameter 'slope'",
                          "operand 2 of custom op 'gate'"))
      << report.text();
  const GradientCheck &wrong = report.checks.back();
  EXPECT_THAT(wrong.source, HasSubstr("CheckGradientsTest.cpp:" + std::to_string(useOfGate) + ":"));
  EXPECT_THAT(wrong.place,
              testing::MatchesRegex("\\[batch [0-9], hidden [0-9], position [0-9]\\]"));
  EXPECT_NEAR(wrong.gradient / wrong.difference, 1.01, 1e-5);
  EXPECT_THAT(report.text(), AllOf(HasSubstr("WRONG  train_step: operand 2 of custom op 'gate' ("),
                                   HasSubstr("1 of 5 gradients agree")));
}

TEST(CheckGradients, GivesTheSameForOneSeed) {
  Program program;
  addTraining(program, gateWithError(1));
  std::string first = checkGradients(program, {.seed = 7}).text();
  EXPECT_EQ(checkGradients(program, {.seed = 7}).text(), first);
  EXPECT_NE(checkGradients(program, {.seed = 8}).text(), first);
}

TEST(CheckGradients, TakesSizesAndRanges) {
  Program program;
  Size B = program.size("B", 64);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch>("x", B);
    f.result<Batch>("dx", gradient(sum<Batch>(log(x)) / size<Batch>(x), x));
  });
  EXPECT_FALSE(checkGradients(program).passed()); // the logarithm of negative numbers
  GradientReport report =
      checkGradients(program, {.sizes = {{"B", 9}}, .ranges = {{"x", {0.5, 0.75}}}});
  ASSERT_TRUE(report.passed()) << report.text();
  EXPECT_NEAR(report.checks[0].gradient, 1 / 9.0 / 0.6, 0.05); // 1 / 9x
  EXPECT_EQ(report.checks[0].tensor, "argument 'x'");
}

TEST(CheckGradients, TakesMeansOverSeveralRaggedAxes) {
  Program program;
  Size B = program.size("B", 64), S = program.size("S", 64), T = program.size("T", 64);
  program.function("f", [&](Function &f) {
    auto x =
        f.argument<float, Batch, Query, Key>("x", B, S.raggedOver<Batch>(), T.raggedOver<Batch>());
    f.result<Batch, Query, Key>("dx", gradient(sum<Batch>(mean<Query, Key>(x * x)), x));
  });
  GradientReport report = checkGradients(program);
  EXPECT_TRUE(report.passed()) << report.text();
}

TEST(RandomInputs, EntriesMayAllBeEmpty) {
  Program program;
  addTraining(program, gateWithError(1));
  auto function = *moduleOf(program).getOps<mlir::func::FuncOp>().begin();
  auto lengths = codegen::randomInputs(function, {.sizes = {{"B", 3}, {"S", 0}}}).sizes.lengths;
  EXPECT_THAT(lengths, ElementsAre(testing::Pair("S", ElementsAre(0, 0, 0))));
}

/// Values in bf16 stay as they are when what they come of moves a little.
TEST(CheckGradients, LeavesRoundingAside) {
  Program program;
  Size B = program.size("B", 64);
  auto table = program.parameter<Model, Hidden>("table", init::zeros(), 4, 3);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Batch, Model>("x", B, 4);
    auto labels = f.argument<int, Batch>("labels", B);
    auto logits = contract<Model>(cast<bfloat16>(x), cast<bfloat16>(table));
    auto losses = cross_entropy<Hidden>(0.7 * tanh(logits), labels, 0.1);
    f.result<Model, Hidden>("dtable", gradient(sum<Batch>(cast<float>(losses)), table));
  });
  GradientReport report = checkGradients(program);
  EXPECT_TRUE(report.passed()) << report.text();
}

TEST(CheckGradients, TakesCustomOpsInBf16) {
  CustomOp<bfloat16(bfloat16)> square(
      {.name = "square",
       .body = [](const auto &x) { return x * x; },
       .reference = [](double x) { return x * x; },
       .adjoint = [](auto x, auto, auto g) { return g * (x + x); }});
  Program program;
  program.function("f", [&](Function &f) {
    auto x = f.argument<bfloat16, Model>("x", 4);
    f.result<Model>("dx", gradient(sum<Model>(cast<float>(square(x))), x));
  });
  GradientReport report = checkGradients(program);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_EQ(report.checks.size(), 2u);
}

/// What is stopped stays as it is, wherever it comes from, and step functions may be behind it.
TEST(CheckGradients, HoldsWhatIsStopped) {
  Program program;
  auto w = program.parameter<Model>("w", init::zeros(), 4);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Model>("x", 4);
    auto rounded = x + stop_gradient(floor(x) - x);
    auto scale = stop_gradient(exp(w));
    auto loss = sum<Model>(scale * w * rounded * rounded);
    f.result<Model>("dw", gradient(loss, w));
    f.result<Model>("dx", gradient(loss, x));
  });
  GradientReport report = checkGradients(program);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_THAT(tensorsOf(report, true), ElementsAre("parameter 'w'", "argument 'x'"));
}

TEST(CheckGradients, SaysWhyThereIsNothingToCompare) {
  Program program;
  EXPECT_EQ(checkGradients(program).text(),
            "error: no function of the program asks for a gradient\n");
  EXPECT_EQ(checkGradients(program, {.function = "f"}).text(),
            "error: the program has no function 'f' that asks for a gradient\n");

  CustomOp<float(float)> op(
      {.name = "op", .body = [](auto x) { return x; }, .reference = [](double x) { return x; }});
  program.function("f", [&](Function &f) {
    auto x = f.argument<float>("x");
    f.result<>("dx", gradient(op(x), x));
  });
  GradientReport report = checkGradients(program);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.text(),
              HasSubstr("error: 'op' has no adjoint, but a gradient is asked for through it"));
}

TEST(CheckGradients, SaysWhichReferenceFailed) {
  CustomOp<float(float)> root({.name = "root",
                               .body = [](const auto &x) { return sqrt(x); },
                               .reference =
                                   [](double x) {
                                     if (x < 0)
                                       throw std::domain_error("no root");
                                     return std::sqrt(x);
                                   },
                               .adjoint = [](auto, auto y, auto g) { return 0.5f * g / y; }});
  Program program;
  unsigned line = 0;
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Model>("x", 64);
    line = __LINE__ + 1;
    auto y = root(x);
    f.result<Model>("dx", gradient(sum<Model>(y), x));
  });
  GradientReport report = checkGradients(program);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.text(),
              HasSubstr("CheckGradientsTest.cpp:" + std::to_string(line) +
                        ":18: error: reference of 'root' failed: no root; its operands are -"));
}

TEST(CheckGradients, IsAFlagOfGenerators) {
  auto run = [](float factor) {
    const char *flags[] = {"generator", "--check-gradients"};
    testing::internal::CaptureStdout();
    int code = generate(2, const_cast<char **>(flags), [&](Program &program, Options &) {
      addTraining(program, gateWithError(factor));
    });
    return std::pair(code, testing::internal::GetCapturedStdout());
  };
  auto [right, report] = run(1);
  EXPECT_EQ(right, 0);
  EXPECT_THAT(report, HasSubstr("5 of 5 gradients agree with central differences\n"));
  EXPECT_EQ(run(2).first, 1);
}
