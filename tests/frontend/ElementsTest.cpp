// What operations and modules become for tensors of other elements than f32.
#include "tests/frontend/Build.h"

#include "frontend/nn/Attention.h"
#include "frontend/nn/Positions.h"

#include <gmock/gmock.h>

namespace axloom {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(Elements, ActivationsOfBf16AreRoundedOnce) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size) { sigmoid(f.argument<bfloat16, Depth>("x", 8)); }),
            R"(
%0 = cast %arg0 to f32 -> <depth: 8, f32>
%1 = sigmoid %0 -> <depth: 8, f32>
%2 = cast %1 to bf16 -> <depth: 8, bf16>
)");
  EXPECT_EQ(opsOf([](Function &f, Size, Size) { gelu(f.argument<bfloat16, Depth>("x", 8)); }),
            R"(
%0 = cast %arg0 to f32 -> <depth: 8, f32>
%1 = constant 0.707106769 : f32 -> <f32>
%2 = mul %0, %1 -> <depth: 8, f32>
%3 = erf %2 -> <depth: 8, f32>
%4 = constant 1.000000e+00 : f32 -> <f32>
%5 = add %3, %4 -> <depth: 8, f32>
%6 = constant 5.000000e-01 : f32 -> <f32>
%7 = mul %0, %6 -> <depth: 8, f32>
%8 = mul %7, %5 -> <depth: 8, f32>
%9 = cast %8 to bf16 -> <depth: 8, bf16>
)");
}

TEST(Elements, LogSoftmaxOfBf16IsRoundedOnce) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size) {
              log_softmax<Depth>(f.argument<bfloat16, Depth>("x", 8));
            }),
            R"(
%0 = cast %arg0 to f32 -> <depth: 8, f32>
%1 = reduce "max" %0 over ["depth"] -> <f32>
%2 = sub %0, %1 -> <depth: 8, f32>
%3 = exp %2 -> <depth: 8, f32>
%4 = reduce "sum" %3 over ["depth"] -> <f32>
%5 = log %4 -> <f32>
%6 = sub %2, %5 -> <depth: 8, f32>
%7 = cast %6 to bf16 -> <depth: 8, bf16>
)");
}

TEST(Elements, MeansOfBf16AreRoundedOnce) {
  EXPECT_EQ(opsOf([](Function &f, Size, Size S) {
              auto x = f.argument<bfloat16, Key, Depth>("x", S, 8);
              auto visible = f.argument<bool, Key>("visible", S);
              mean<Depth>(x);
              mean<Key>(where(visible, x));
            }),
            R"(
%0 = cast %arg0 to f32 -> <depth: 8, key: S, f32>
%1 = reduce "sum" %0 over ["depth"] -> <key: S, f32>
%2 = constant 8.000000e+00 : f32 -> <f32>
%3 = div %1, %2 -> <key: S, f32>
%4 = cast %3 to bf16 -> <key: S, bf16>
%5 = cast %arg0 to f32 -> <depth: 8, key: S, f32>
%6 = constant 0.000000e+00 : f32 -> <f32>
%7 = select %arg1, %5, %6 -> <depth: 8, key: S, f32>
%8 = reduce "sum" %7 over ["key"] -> <depth: 8, f32>
%9 = cast %arg1 to f32 -> <key: S, f32>
%10 = reduce "sum" %9 over ["key"] -> <f32>
%11 = constant 1.000000e+00 : f32 -> <f32>
%12 = maximum %10, %11 -> <f32>
%13 = div %8, %12 -> <depth: 8, f32>
%14 = cast %13 to bf16 -> <depth: 8, bf16>
)");
}

/// Dropout of a tensor with elements E.
template <class E> std::string dropoutOf() {
  return opsOf([](Function &f, Size, Size) {
    auto seed = f.argument<int>("seed");
    dropout(f.argument<E, Depth>("x", 8), 0.5, Randomness(seed, seed));
  });
}

TEST(Elements, DropoutScalesAsExactlyAsTheyAre) {
  EXPECT_THAT(dropoutOf<double>(), EndsWith(R"(
%4 = constant 2.000000e+00 : f64 -> <f64>
%5 = constant 0.000000e+00 : f64 -> <f64>
%6 = select %3, %4, %5 -> <depth: 8, f64>
%7 = mul %arg1, %6 -> <depth: 8, f64>
)"));
  // In bf16, 1 / (1 - 0.1) would be off by 0.4 %.
  EXPECT_THAT(dropoutOf<bfloat16>(), EndsWith(R"(
%4 = constant 2.000000e+00 : f32 -> <f32>
%5 = constant 0.000000e+00 : f32 -> <f32>
%6 = select %3, %4, %5 -> <depth: 8, f32>
%7 = cast %arg1 to f32 -> <depth: 8, f32>
%8 = mul %7, %6 -> <depth: 8, f32>
%9 = cast %8 to bf16 -> <depth: 8, bf16>
)"));
}

TEST(Elements, SquareRootsOfSizes) {
  EXPECT_EQ(opsOf([](Function &, Size, Size S) {
              sqrt<double>(16);
              sqrt<double>(S);
              sqrt<bfloat16>(S);
            }),
            R"(
%0 = constant 4.000000e+00 : f64 -> <f64>
%1 = size_of <S> to f64 -> <f64>
%2 = sqrt %1 -> <f64>
%3 = size_of <S> -> <f32>
%4 = sqrt %3 -> <f32>
%5 = cast %4 to bf16 -> <bf16>
)");
}

/// Attention of tensors with elements E.
template <class E> std::string attentionOf() {
  return opsOf([](Function &f, Size, Size S) {
    auto q = f.argument<E, Query, Depth>("q", S, 16);
    auto k = f.argument<E, Key, Depth>("k", S, 16);
    auto v = f.argument<E, Key, nn::ValueDepth>("v", S, 24);
    nn::attention<Key, Depth>(q, nn::KeysValues<decltype(k), decltype(v)>{k, v}, constant(true));
  });
}

TEST(Elements, AttentionScales) {
  EXPECT_THAT(attentionOf<double>(), HasSubstr("%2 = constant 4.000000e+00 : f64 -> <f64>\n"
                                               "%3 = div %1, %2 -> <key: S, query: S, f64>\n"));
  EXPECT_THAT(attentionOf<bfloat16>(), HasSubstr("%2 = constant 4.000000e+00 : bf16 -> <bf16>\n"
                                                 "%3 = div %1, %2 -> <key: S, query: S, bf16>\n"));
}

/// Rotary positions of a tensor with elements E.
template <class E> std::string rotaryOf() {
  return opsOf([](Function &f, Size, Size S) {
    nn::rotary<Depth>(f.argument<E, Position, Depth>("x", S, 8), iota<Position>(S));
  });
}

TEST(Elements, RotaryPositionsTurn) {
  EXPECT_THAT(rotaryOf<double>(), Not(HasSubstr("f32")));
  EXPECT_THAT(rotaryOf<bfloat16>(),
              AllOf(HasSubstr("= cast %arg0 to f32 -> <depth: 8, position: S, f32>\n"),
                    EndsWith(" to bf16 -> <depth: 8, position: S, bf16>\n")));
}

} // namespace
} // namespace axloom
