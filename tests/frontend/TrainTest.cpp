#include "tests/frontend/Build.h"

#include "frontend/train/Adam.h"
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
%0 = constant 1 : i32 -> <i32>
%1 = read @adam.step -> <i32>
%2 = add %1, %0 -> <i32>
%3 = cast %2 to f32 -> <f32>
%4 = constant 5.000000e-01 : f32 -> <f32>
%5 = pow %4, %3 -> <f32>
%6 = constant 1.000000e+00 : f32 -> <f32>
%7 = sub %6, %5 -> <f32>
%8 = cast %2 to f32 -> <f32>
%9 = constant 7.500000e-01 : f32 -> <f32>
%10 = pow %9, %8 -> <f32>
%11 = constant 1.000000e+00 : f32 -> <f32>
%12 = sub %11, %10 -> <f32>
%13 = read @weight -> <depth: 8, f32>
%14 = gradient %arg0 wrt(%13) -> <depth: 8, f32>
%15 = constant 5.000000e-01 : f32 -> <f32>
%16 = mul %15, %14 -> <depth: 8, f32>
%17 = constant 5.000000e-01 : f32 -> <f32>
%18 = read @adam.first.weight -> <depth: 8, f32>
%19 = mul %17, %18 -> <depth: 8, f32>
%20 = add %19, %16 -> <depth: 8, f32>
%21 = mul %14, %14 -> <depth: 8, f32>
%22 = constant 2.500000e-01 : f32 -> <f32>
%23 = mul %22, %21 -> <depth: 8, f32>
%24 = constant 7.500000e-01 : f32 -> <f32>
%25 = read @adam.second.weight -> <depth: 8, f32>
%26 = mul %24, %25 -> <depth: 8, f32>
%27 = add %26, %23 -> <depth: 8, f32>
write @adam.first.weight, %20 -> <depth: 8, f32>
write @adam.second.weight, %27 -> <depth: 8, f32>
%28 = div %27, %12 -> <depth: 8, f32>
%29 = sqrt %28 -> <depth: 8, f32>
%30 = constant 1.250000e-01 : f32 -> <f32>
%31 = add %29, %30 -> <depth: 8, f32>
%32 = div %20, %7 -> <depth: 8, f32>
%33 = mul %arg1, %32 -> <depth: 8, f32>
%34 = div %33, %31 -> <depth: 8, f32>
%35 = sub %13, %34 -> <depth: 8, f32>
write @weight, %35 -> <depth: 8, f32>
write @adam.step, %2 -> <i32>
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
