#include "tests/frontend/Build.h"

#include "frontend/train/Adam.h"
#include "frontend/train/Clip.h"
#include "frontend/train/Loss.h"
#include "frontend/train/Schedule.h"

namespace axloom {
namespace {

TEST(Adam, AssignsParametersMomentsAndStep) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  train::Adam adam(program.scope("adam"), program.parameters(), {0.5, 0.75, 0.125});
  program.function("f", [&](Function &f) {
    auto loss = f.argument<float>("loss");
    auto rate = f.argument<float>("rate");
    adam.minimize(loss, rate);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @weight -> <depth: 8, f32>
%1 = gradient %arg0 wrt(%0) -> <depth: 8, f32>
%2 = constant 1 : i32 -> <i32>
%3 = read @adam.step -> <i32>
%4 = add %3, %2 -> <i32>
%5 = cast %4 to f32 -> <f32>
%6 = constant 0.346573591 : f32 -> <f32>
%7 = mul %5, %6 -> <f32>
%8 = tanh %7 -> <f32>
%9 = constant 1.000000e+00 : f32 -> <f32>
%10 = add %9, %8 -> <f32>
%11 = constant 2.000000e+00 : f32 -> <f32>
%12 = mul %11, %8 -> <f32>
%13 = div %12, %10 -> <f32>
%14 = cast %4 to f32 -> <f32>
%15 = constant 0.143841043 : f32 -> <f32>
%16 = mul %14, %15 -> <f32>
%17 = tanh %16 -> <f32>
%18 = constant 1.000000e+00 : f32 -> <f32>
%19 = add %18, %17 -> <f32>
%20 = constant 2.000000e+00 : f32 -> <f32>
%21 = mul %20, %17 -> <f32>
%22 = div %21, %19 -> <f32>
%23 = constant 5.000000e-01 : f32 -> <f32>
%24 = mul %23, %1 -> <depth: 8, f32>
%25 = constant 5.000000e-01 : f32 -> <f32>
%26 = read @adam.first.weight -> <depth: 8, f32>
%27 = mul %25, %26 -> <depth: 8, f32>
%28 = add %27, %24 -> <depth: 8, f32>
%29 = mul %1, %1 -> <depth: 8, f32>
%30 = constant 2.500000e-01 : f32 -> <f32>
%31 = mul %30, %29 -> <depth: 8, f32>
%32 = constant 7.500000e-01 : f32 -> <f32>
%33 = read @adam.second.weight -> <depth: 8, f32>
%34 = mul %32, %33 -> <depth: 8, f32>
%35 = add %34, %31 -> <depth: 8, f32>
write @adam.first.weight, %28 -> <depth: 8, f32>
write @adam.second.weight, %35 -> <depth: 8, f32>
%36 = div %35, %22 -> <depth: 8, f32>
%37 = sqrt %36 -> <depth: 8, f32>
%38 = constant 1.250000e-01 : f32 -> <f32>
%39 = add %37, %38 -> <depth: 8, f32>
%40 = div %28, %13 -> <depth: 8, f32>
%41 = mul %arg1, %40 -> <depth: 8, f32>
%42 = div %41, %39 -> <depth: 8, f32>
%43 = sub %0, %42 -> <depth: 8, f32>
write @weight, %43 -> <depth: 8, f32>
write @adam.step, %4 -> <i32>
)");
}

TEST(Adam, KeepsAStateForEachParameter) {
  Program program;
  program.scope("a").parameter<Depth, Width>("weight", init::ones(), 8, 4);
  program.scope("b").parameter<Depth>("weight", init::ones(), 8);
  train::Adam adam(program.scope("adam"), program.parameters(), {});
  std::string text = program.print();
  for (std::string line :
       {"variable \"state\" @adam.step : !axloom.tensor<i32> order []",
        "variable \"state\" @adam.first.a.weight : !axloom.tensor<depth: 8, width: 4, f32> order "
        "[\"depth\", \"width\"] init {kind = \"zeros\"}",
        "variable \"state\" @adam.second.a.weight : !axloom.tensor<depth: 8, width: 4, f32>",
        "variable \"state\" @adam.first.b.weight : !axloom.tensor<depth: 8, f32>",
        "variable \"state\" @adam.second.b.weight : !axloom.tensor<depth: 8, f32>"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
}

TEST(Adam, NeedsAGradientForEachParameter) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  train::Adam adam(program.scope("adam"), program.parameters(), {});
  try {
    program.function("f", [&](Function &) { adam.apply({}, constant(0.5F)); });
    FAIL() << "no error was thrown";
  } catch (const GraphError &error) {
    EXPECT_NE(std::string(error.what()).find("a gradient for each parameter"), std::string::npos)
        << error.what();
  }
}

TEST(Adam, NeedsParameters) {
  Program program;
  std::string found = errorOf([&] {
    train::Adam(program.scope("adam"), program.parameters(), {}); // here
  });
  EXPECT_EQ(found, "here: error: Adam has no parameters, so it would train nothing\n"
                   "  expected: one or more\n"
                   "  found: none\n"
                   "  to do: declare the model's parameters first; program.parameters() are those "
                   "that are declared so far");
}

/// How many ops multiply by the weight decay in a step over parameters @a and @b.
int countDecays(const train::Adam::Constants &constants) {
  Program program;
  program.parameter<Depth>("a", init::ones(), 8);
  program.parameter<Depth>("b", init::ones(), 8);
  train::Adam adam(program.scope("adam"), program.parameters(), constants);
  program.function("f", [&](Function &f) {
    adam.minimize(f.argument<float>("loss"), f.argument<float>("rate"));
  });
  std::string body = bodyOf(program);
  int count = 0;
  for (std::size_t at = 0; (at = body.find("constant 6.250000e-02", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

TEST(Adam, DecaysTheParametersThatAreChosen) {
  EXPECT_EQ(countDecays({.weightDecay = 0}), 0);
  EXPECT_EQ(countDecays({.weightDecay = 0.0625}), 2);
  EXPECT_EQ(countDecays({.weightDecay = 0.0625,
                         .decays = [](const std::string &name) { return name == "a"; }}),
            1);
}

TEST(Adam, ChoosesNeitherBiasesNorNorms) {
  for (const char *name : {"weight", "scale", "embedding.word.weight", "bias.weight",
                           "encoder.0.attention.query.weight", "normal.weight", "unbias"})
    EXPECT_TRUE(train::exceptBiasesAndNorms(name)) << name;
  for (const char *name : {"bias", "head.bias", "masked_words.bias", "norm.weight", "norm.bias",
                           "encoder.0.attention.norm.weight", "final_norm.weight"})
    EXPECT_FALSE(train::exceptBiasesAndNorms(name)) << name;
}

TEST(Clip, ScalesAllGradientsByTheirNorm) {
  Program program;
  program.parameter<Depth>("a", init::ones(), 8);
  program.parameter<>("b", init::ones());
  program.function("f", [&](Function &f) {
    auto gradients = gradient(f.argument<float>("loss"), program.parameters());
    for (const AnyTensor &clipped : train::clipByGlobalNorm(gradients, 0.5))
      exp(clipped);
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @a -> <depth: 8, f32>
%1 = read @b -> <f32>
%2:2 = gradient %arg0 wrt(%0, %1) -> <depth: 8, f32>, <f32>
%3 = constant 0.000000e+00 : f32 -> <f32>
%4 = mul %2#0, %2#0 -> <depth: 8, f32>
%5 = reduce "sum" %4 over ["depth"] -> <f32>
%6 = add %3, %5 -> <f32>
%7 = mul %2#1, %2#1 -> <f32>
%8 = add %6, %7 -> <f32>
%9 = sqrt %8 -> <f32>
%10 = constant 9.99999997E-7 : f32 -> <f32>
%11 = add %9, %10 -> <f32>
%12 = constant 5.000000e-01 : f32 -> <f32>
%13 = div %12, %11 -> <f32>
%14 = constant 1.000000e+00 : f32 -> <f32>
%15 = minimum %13, %14 -> <f32>
%16 = mul %15, %2#0 -> <depth: 8, f32>
%17 = mul %15, %2#1 -> <f32>
%18 = exp %16 -> <depth: 8, f32>
%19 = exp %17 -> <f32>
)");
}

TEST(Schedule, RisesAndFallsLinearly) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size) {
              auto step = f.argument<int>("step");
              auto steps = f.argument<int>("steps");
              train::linearDecay(step, steps, 0.5, 4);
            }),
            R"(
%0 = cast %arg0 to f32 -> <f32>
%1 = cast %arg1 to f32 -> <f32>
%2 = constant 1.000000e+00 : f32 -> <f32>
%3 = add %0, %2 -> <f32>
%4 = constant 4.000000e+00 : f32 -> <f32>
%5 = div %3, %4 -> <f32>
%6 = constant 4.000000e+00 : f32 -> <f32>
%7 = sub %1, %6 -> <f32>
%8 = constant 1.000000e+00 : f32 -> <f32>
%9 = maximum %7, %8 -> <f32>
%10 = sub %1, %0 -> <f32>
%11 = constant 0.000000e+00 : f32 -> <f32>
%12 = maximum %10, %11 -> <f32>
%13 = div %12, %9 -> <f32>
%14 = minimum %5, %13 -> <f32>
%15 = constant 5.000000e-01 : f32 -> <f32>
%16 = mul %15, %14 -> <f32>
)");
}

TEST(Schedule, FallsAlongACosine) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size) {
              auto step = f.argument<int>("step");
              auto steps = f.argument<int>("steps");
              train::cosineDecay(step, steps, 0.5, 4, 0.125);
            }),
            R"(
%0 = cast %arg0 to f32 -> <f32>
%1 = cast %arg1 to f32 -> <f32>
%2 = constant 1.000000e+00 : f32 -> <f32>
%3 = add %0, %2 -> <f32>
%4 = constant 4.000000e+00 : f32 -> <f32>
%5 = div %3, %4 -> <f32>
%6 = constant 4.000000e+00 : f32 -> <f32>
%7 = sub %1, %6 -> <f32>
%8 = constant 1.000000e+00 : f32 -> <f32>
%9 = maximum %7, %8 -> <f32>
%10 = sub %1, %0 -> <f32>
%11 = constant 0.000000e+00 : f32 -> <f32>
%12 = maximum %10, %11 -> <f32>
%13 = div %12, %9 -> <f32>
%14 = constant 1.000000e+00 : f32 -> <f32>
%15 = minimum %13, %14 -> <f32>
%16 = constant 3.14159274 : f32 -> <f32>
%17 = mul %16, %15 -> <f32>
%18 = cos %17 -> <f32>
%19 = constant 1.000000e+00 : f32 -> <f32>
%20 = sub %19, %18 -> <f32>
%21 = constant 1.875000e-01 : f32 -> <f32>
%22 = mul %21, %20 -> <f32>
%23 = constant 1.250000e-01 : f32 -> <f32>
%24 = add %23, %22 -> <f32>
%25 = constant 5.000000e-01 : f32 -> <f32>
%26 = mul %25, %5 -> <f32>
%27 = minimum %26, %24 -> <f32>
)");
}

TEST(Schedule, RefusesNumbersOutOfRange) {
  auto errorWith = [](double peak, double warmupSteps, double floor) {
    std::string error = errorIn([&](Function &f, Size, Size) {
      auto step = f.argument<int>("step");
      auto steps = f.argument<int>("steps");
      train::cosineDecay(step, steps, peak, warmupSteps, floor); // here
    });
    return error.substr(0, error.find("\n  to do"));
  };
  EXPECT_EQ(errorWith(0.5, 0, 0), "here: error: the warm-up is out of range\n"
                                  "  expected: a finite number, 1 or more\n"
                                  "  found: 0");
  EXPECT_EQ(errorWith(-1, 4, 0), "here: error: the peak of the rate is out of range\n"
                                 "  expected: a finite number, 0 or more\n"
                                 "  found: -1");
  EXPECT_EQ(errorWith(0.5, 4, 0.75), "here: error: the floor of the rate is out of range\n"
                                     "  expected: a number from 0 to 0.5\n"
                                     "  found: 0.75");
}

TEST(Schedule, WarmsUpAndDecays) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size) {
              auto step = f.argument<int>("step");
              train::warmup(step, 64, 4);
            }),
            R"(
%0 = constant 1 : i32 -> <i32>
%1 = add %arg0, %0 -> <i32>
%2 = cast %1 to f32 -> <f32>
%3 = constant 1.250000e-01 : f32 -> <f32>
%4 = mul %2, %3 -> <f32>
%5 = rsqrt %2 -> <f32>
%6 = minimum %5, %4 -> <f32>
%7 = constant 1.250000e-01 : f32 -> <f32>
%8 = mul %7, %6 -> <f32>
)");
}

TEST(Loss, CountsOnlyRealTokens) {
  EXPECT_EQ(opsOf([](Function &f, Size B, Size S) {
              auto logits = f.argument<float, Batch, Position, Vocabulary>("logits", B, S, 100);
              auto labels = f.argument<int, Batch, Position>("labels", B, S);
              auto real = f.argument<bool, Batch, Position>("real", B, S);
              auto loss = train::tokenLoss<Vocabulary, Batch, Position>(logits, labels, real, 0.25);
              f.result("loss", loss.mean());
            }),
            R"(
%0 = cross_entropy %arg0, %arg1 over "vocabulary" smoothing 2.500000e-01 -> <batch: B, position: S, f32>
%1 = constant 0.000000e+00 : f32 -> <f32>
%2 = select %arg2, %0, %1 -> <batch: B, position: S, f32>
%3 = reduce "sum" %2 over ["batch", "position"] -> <f32>
%4 = cast %arg2 to f32 -> <batch: B, position: S, f32>
%5 = reduce "sum" %4 over ["batch", "position"] -> <f32>
%6 = constant 1.000000e+00 : f32 -> <f32>
%7 = maximum %5, %6 -> <f32>
%8 = div %3, %7 -> <f32>
)");
}

} // namespace
} // namespace axloom
