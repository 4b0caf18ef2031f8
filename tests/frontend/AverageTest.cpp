#include "tests/frontend/Build.h"

#include "frontend/train/Adam.h"
#include "frontend/train/Average.h"

namespace axloom {
namespace {

TEST(Average, ComesNearerToTheValuesAfterTheStep) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  train::Average average(program.scope("average"), program.parameters(), 0.75);
  program.function("f",
                   [&](Function &f) { average.update({f.argument<float, Depth>("value", 8)}); });
  EXPECT_EQ(bodyOf(program), R"(
%0 = constant 1 : i32 -> <i32>
%1 = read @average.updates -> <i32>
%2 = add %1, %0 -> <i32>
%3 = cast %2 to f32 -> <f32>
%4 = constant 0.143841043 : f32 -> <f32>
%5 = mul %3, %4 -> <f32>
%6 = tanh %5 -> <f32>
%7 = constant 1.000000e+00 : f32 -> <f32>
%8 = add %7, %6 -> <f32>
%9 = constant 2.000000e+00 : f32 -> <f32>
%10 = mul %9, %6 -> <f32>
%11 = div %10, %8 -> <f32>
%12 = constant 2.500000e-01 : f32 -> <f32>
%13 = div %12, %11 -> <f32>
%14 = read @average.parameters.weight -> <depth: 8, f32>
%15 = sub %arg0, %14 -> <depth: 8, f32>
%16 = mul %13, %15 -> <depth: 8, f32>
%17 = add %14, %16 -> <depth: 8, f32>
write @average.parameters.weight, %17 -> <depth: 8, f32>
write @average.updates, %2 -> <i32>
)");
}

TEST(Average, TakesWhatAdamAssigns) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  train::Adam adam(program.scope("adam"), program.parameters(), {});
  program.function("f", [&](Function &f) {
    auto values = adam.minimize(f.argument<float>("loss"), constant(0.5F));
    exp(values.at(0));
  });
  std::string body = bodyOf(program), write = "write @weight, ";
  std::size_t at = body.find(write) + write.size();
  std::string value = body.substr(at, body.find(' ', at) - at);
  EXPECT_NE(body.find("exp " + value + " "), std::string::npos) << body;
}

TEST(Average, ExchangesTheValuesAtEntry) {
  Program program;
  program.parameter<Depth>("weight", init::ones(), 8);
  train::Average average(program.scope("average"), program.parameters());
  program.function("f", [&](Function &) { average.exchange(); });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @average.parameters.weight -> <depth: 8, f32>
write @weight, %0 -> <depth: 8, f32>
%1 = read @weight -> <depth: 8, f32>
write @average.parameters.weight, %1 -> <depth: 8, f32>
)");
}

TEST(Average, RefusesWhatItCannotAverage) {
  Program program;
  std::string ofNothing = errorOf([&] {
    train::Average(program.scope("average"), program.parameters()); // here
  });
  EXPECT_EQ(ofNothing, "here: error: the average has no parameters\n"
                       "  expected: one or more\n"
                       "  found: none\n"
                       "  to do: declare the model's parameters first; program.parameters() are "
                       "those that are declared so far");
  program.parameter<Depth>("weight", init::ones(), 8);
  std::string ofAllTime = errorOf([&] {
    train::Average(program.scope("average"), program.parameters(), 1); // here
  });
  EXPECT_EQ(ofAllTime, "here: error: the decay of the average is out of range\n"
                       "  expected: a number of at least 0 and less than 1\n"
                       "  found: 1\n"
                       "  to do: give another number");
  train::Average average(program.scope("average"), program.parameters());
  std::string ofNoValues = errorOf([&] {
    program.function("f", [&](Function &) {
      average.update({}); // here
    });
  });
  EXPECT_EQ(ofNoValues,
            "here: error: the average needs a value for each parameter\n"
            "  expected: 1 values\n"
            "  found: 0\n"
            "  to do: give it what Adam's minimize or apply gives, for the same parameters");
}

} // namespace
} // namespace axloom
