#include "tests/frontend/Build.h"

#include "frontend/nn/Convolution.h"
#include "frontend/nn/Embedding.h"
#include "frontend/nn/FeedForward.h"
#include "frontend/nn/Positions.h"
#include "frontend/nn/RmsNorm.h"

#include <gmock/gmock.h>

namespace axloom {
namespace {

TEST(Modules, LinearMapsListsOfAxes) {
  Program program;
  nn::Linear<Width, Axes<Heads, Depth>> split(program.scope("split"), 32, {4, 8});
  nn::Linear<Axes<Heads, Depth>, Width> join(program.scope("join"), {4, 8}, 32, false);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, Width>("x", 7, 32);
    f.result<Position, Width>("y", join(split(x)));
  });
  EXPECT_EQ(parametersOf(program), R"(
split.weight: heads=4 depth=8 width=32
split.bias: heads=4 depth=8
join.weight: width=32 heads=4 depth=8
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @split.weight -> <depth: 8, heads: 4, width: 32, f32>
%1 = contract %arg0, %0 over ["width"] -> <depth: 8, heads: 4, position: 7, f32>
%2 = read @split.bias -> <depth: 8, heads: 4, f32>
%3 = add %1, %2 -> <depth: 8, heads: 4, position: 7, f32>
%4 = read @join.weight -> <depth: 8, heads: 4, width: 32, f32>
%5 = contract %3, %4 over ["heads", "depth"] -> <position: 7, width: 32, f32>
)");
}

TEST(Modules, LinearStartsWithXavier) {
  Program program;
  nn::Linear<Width, Axes<Heads, Depth>> linear(program, 4, {5, 3}); // bound sqrt(6 / 19)
  EXPECT_NE(program.print().find("high = 0.56195148694901631"), std::string::npos)
      << program.print();
}

TEST(Modules, TapsOfAConvolutionShareTheVariance) {
  Program program;
  nn::Convolution<Width, Depth> convolution(program, 4, 5, 3); // bound sqrt(6 / (3 * 9))
  EXPECT_NE(program.print().find("high = 0.47140452079103168"), std::string::npos)
      << program.print();
}

TEST(Modules, EmbeddingLooksUpAndProjects) {
  Program program;
  nn::Embedding<Vocabulary, Width> embedding(program, 100, 32, init::normal(0, 1));
  program.function("f", [&](Function &f) {
    auto ids = f.argument<int, Position>("ids", 7);
    f.result<Position, Vocabulary>("logits", embedding.logits(embedding(ids)));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @weight -> <vocabulary: 100, width: 32, f32>
%1 = gather %0, %arg0 along "vocabulary" -> <position: 7, width: 32, f32>
%2 = contract %1, %0 over ["width"] -> <position: 7, vocabulary: 100, f32>
)");
}

TEST(Modules, SinusoidsAlternate) {
  EXPECT_EQ(opsOf([](Function &, Size, Size S) { nn::sinusoids(iota<Position>(S), 16); }),
            R"(
%0 = iota "position" size <S> -> <position: S, i32>
%1 = iota "model" size <16> -> <model: 16, i32>
%2 = constant 2 : i32 -> <i32>
%3 = rem %1, %2 -> <model: 16, i32>
%4 = constant 0 : i32 -> <i32>
%5 = compare "eq" %3, %4 -> <model: 16, i1>
%6 = constant 2 : i32 -> <i32>
%7 = rem %1, %6 -> <model: 16, i32>
%8 = sub %1, %7 -> <model: 16, i32>
%9 = cast %8 to f32 -> <model: 16, f32>
%10 = constant 1.600000e+01 : f32 -> <f32>
%11 = div %9, %10 -> <model: 16, f32>
%12 = neg %11 -> <model: 16, f32>
%13 = constant 1.000000e+04 : f32 -> <f32>
%14 = pow %13, %12 -> <model: 16, f32>
%15 = cast %0 to f32 -> <position: S, f32>
%16 = mul %15, %14 -> <model: 16, position: S, f32>
%17 = cos %16 -> <model: 16, position: S, f32>
%18 = sin %16 -> <model: 16, position: S, f32>
%19 = select %5, %18, %17 -> <model: 16, position: S, f32>
)");
}

TEST(Modules, RotaryPositionsTurnPairsOfChannels) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size S) {
              auto x = f.argument<float, Position, Depth>("x", S, 8);
              nn::rotary<Depth>(x, iota<Position>(S));
            }),
            R"(
%0 = iota "position" size <S> -> <position: S, i32>
%1 = iota "depth" size <8> -> <depth: 8, i32>
%2 = constant 4 : i32 -> <i32>
%3 = rem %1, %2 -> <depth: 8, i32>
%4 = cast %3 to f32 -> <depth: 8, f32>
%5 = constant 4.000000e+00 : f32 -> <f32>
%6 = div %4, %5 -> <depth: 8, f32>
%7 = neg %6 -> <depth: 8, f32>
%8 = constant 1.000000e+04 : f32 -> <f32>
%9 = pow %8, %7 -> <depth: 8, f32>
%10 = cast %0 to f32 -> <position: S, f32>
%11 = mul %10, %9 -> <depth: 8, position: S, f32>
%12 = slice %arg0 "depth" from 0 size 4 -> <depth: 4, position: S, f32>
%13 = slice %arg0 "depth" from 4 size 4 -> <depth: 4, position: S, f32>
%14 = neg %13 -> <depth: 4, position: S, f32>
%15 = concat %14, %12 along "depth" -> <depth: 8, position: S, f32>
%16 = sin %11 -> <depth: 8, position: S, f32>
%17 = mul %15, %16 -> <depth: 8, position: S, f32>
%18 = cos %11 -> <depth: 8, position: S, f32>
%19 = mul %arg0, %18 -> <depth: 8, position: S, f32>
%20 = add %19, %17 -> <depth: 8, position: S, f32>
)");
}

TEST(Modules, RotaryPositionsNeedAnEvenDepth) {
  try {
    opsOf([](Function &f, Size, Size S) {
      nn::rotary<Depth>(f.argument<float, Position, Depth>("x", S, 7), iota<Position>(S));
    });
    FAIL();
  } catch (const GraphError &error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("expected: an even number of them\n"));
  }
}

TEST(Modules, RmsNormHasAScaleAlone) {
  Program program;
  Size B = program.size("B", 64);
  nn::RmsNorm<nn::Model> norm(program, 32);
  program.function("f", [&](Function &f) {
    f.result<Batch, nn::Model>("y", norm(f.argument<float, Batch, nn::Model>("x", B, 32)));
  });
  EXPECT_EQ(parametersOf(program), R"(
weight: model=32
)");
  EXPECT_EQ(bodyOf(program), R"(
%0 = mul %arg0, %arg0 -> <batch: B, model: 32, f32>
%1 = reduce "sum" %0 over ["model"] -> <batch: B, f32>
%2 = constant 3.200000e+01 : f32 -> <f32>
%3 = div %1, %2 -> <batch: B, f32>
%4 = constant 9.99999974E-6 : f32 -> <f32>
%5 = add %3, %4 -> <batch: B, f32>
%6 = rsqrt %5 -> <batch: B, f32>
%7 = mul %arg0, %6 -> <batch: B, model: 32, f32>
%8 = read @weight -> <model: 32, f32>
%9 = mul %7, %8 -> <batch: B, model: 32, f32>
)");
}

TEST(Modules, FeedForward) {
  Program program;
  nn::FeedForward<> feedForward(program, 32, 64);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, nn::Model>("x", 7, 32);
    f.result<Position, nn::Model>("y", feedForward(x));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @inner.weight -> <hidden: 64, model: 32, f32>
%1 = contract %arg0, %0 over ["model"] -> <hidden: 64, position: 7, f32>
%2 = read @inner.bias -> <hidden: 64, f32>
%3 = add %1, %2 -> <hidden: 64, position: 7, f32>
%4 = constant 0.000000e+00 : f32 -> <f32>
%5 = maximum %3, %4 -> <hidden: 64, position: 7, f32>
%6 = read @outer.weight -> <hidden: 64, model: 32, f32>
%7 = contract %5, %6 over ["hidden"] -> <model: 32, position: 7, f32>
%8 = read @outer.bias -> <model: 32, f32>
%9 = add %7, %8 -> <model: 32, position: 7, f32>
)");
}

TEST(Modules, AGateIsAMapOfItsOwn) {
  Program program;
  nn::FeedForward<> feedForward(program, 32, 64,
                                {.activation = nn::Activation::Silu, .gated = true, .bias = false});
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, nn::Model>("x", 7, 32);
    f.result<Position, nn::Model>("y", feedForward(x));
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @inner.weight -> <hidden: 64, model: 32, f32>
%1 = contract %arg0, %0 over ["model"] -> <hidden: 64, position: 7, f32>
%2 = read @gate.weight -> <hidden: 64, model: 32, f32>
%3 = contract %arg0, %2 over ["model"] -> <hidden: 64, position: 7, f32>
%4 = sigmoid %3 -> <hidden: 64, position: 7, f32>
%5 = mul %3, %4 -> <hidden: 64, position: 7, f32>
%6 = mul %5, %1 -> <hidden: 64, position: 7, f32>
%7 = read @outer.weight -> <hidden: 64, model: 32, f32>
%8 = contract %6, %7 over ["hidden"] -> <model: 32, position: 7, f32>
)");
}

TEST(Modules, OpsOfAModuleCarryTheUsersLine) {
  Program program;
  nn::FeedForward<> feedForward(program, 32, 64);
  std::string found = errorOf([&] {
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Position, nn::Model>("x", 7, 33);
      feedForward(x); // here
    });
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: contract: axis 'model' has size 33 on the left, 32 on the right");
}

} // namespace
} // namespace axloom
