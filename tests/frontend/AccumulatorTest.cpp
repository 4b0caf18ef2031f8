#include "tests/frontend/Build.h"

#include "frontend/train/Accumulator.h"

namespace axloom {
namespace {

TEST(Accumulator, GivesMeansAndStartsAnewWithTheNextStep) {
  Program program;
  auto weight = program.parameter<Depth>("weight", init::ones(), 8);
  train::Accumulator accumulator(program.scope("accumulator"), program.parameters(), 4);
  program.function("f", [&](Function &f) {
    auto means = accumulator.add({f.argument<float, Depth>("gradient", 8)});
    when(accumulator.isDue(), [&] { assign(AnyVariable(weight), means[0]); });
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant 4 : i32 -> <i32>
%1 = read @accumulator.calls -> <i32>
%2 = rem %1, %0 -> <i32>
%3 = constant 3 : i32 -> <i32>
%4 = compare "eq" %2, %3 -> <i1>
%5 = read @accumulator.parameters.weight -> <depth: 8, f32>
%6 = add %5, %arg0 -> <depth: 8, f32>
%7 = constant 0.000000e+00 : f32 -> <f32>
%8 = select %4, %7, %6 -> <depth: 8, f32>
write @accumulator.parameters.weight, %8 -> <depth: 8, f32>
%9 = constant 4.000000e+00 : f32 -> <f32>
%10 = div %6, %9 -> <depth: 8, f32>
%11 = constant 1 : i32 -> <i32>
%12 = add %1, %11 -> <i32>
write @accumulator.calls, %12 -> <i32>
%13 = constant 4 : i32 -> <i32>
%14 = rem %1, %13 -> <i32>
%15 = constant 3 : i32 -> <i32>
%16 = compare "eq" %14, %15 -> <i1>
%17 = read @weight -> <depth: 8, f32>
%18 = select %16, %10, %17 -> <depth: 8, f32>
write @weight, %18 -> <depth: 8, f32>
)");
}

TEST(Accumulator, NeedsAGradientForEachParameter) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  std::string noCalls = errorOf([&] {
    train::Accumulator(program.scope("none"), program.parameters(), 0); // here
  });
  EXPECT_EQ(noCalls, "here: error: the number of calls of a step is out of range\n"
                     "  expected: a finite number, 1 or more\n"
                     "  found: 0\n"
                     "  to do: give another number");
  train::Accumulator accumulator(program.scope("accumulator"), program.parameters(), 2);
  std::string found = errorOf([&] {
    program.function("f", [&](Function &) { accumulator.add({}); }); // here
  });
  EXPECT_EQ(found, "here: error: the accumulator needs a gradient for each parameter\n"
                   "  expected: 1 gradients\n"
                   "  found: 0\n"
                   "  to do: give it what gradient(loss, parameters) gives, in that order");
}

} // namespace
} // namespace axloom
