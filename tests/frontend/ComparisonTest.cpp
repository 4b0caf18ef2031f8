// Comparisons: every predicate, operands of different axes in either order, and the user's line.
#include "tests/frontend/Build.h"

namespace axloom {
namespace {

TEST(Comparison, EveryPredicate) {
  EXPECT_EQ(opsOf([](Function &f, Size B, Size) {
              auto x = f.argument<float, Batch>("x", B);
              x < 1;
              x <= 1;
              x > 1;
              x >= 1;
              x == 1;
              x != 1;
            }),
            R"(
%0 = constant 1.000000e+00 : f32 -> <f32>
%1 = compare "lt" %arg0, %0 -> <batch: B, i1>
%2 = constant 1.000000e+00 : f32 -> <f32>
%3 = compare "le" %arg0, %2 -> <batch: B, i1>
%4 = constant 1.000000e+00 : f32 -> <f32>
%5 = compare "gt" %arg0, %4 -> <batch: B, i1>
%6 = constant 1.000000e+00 : f32 -> <f32>
%7 = compare "ge" %arg0, %6 -> <batch: B, i1>
%8 = constant 1.000000e+00 : f32 -> <f32>
%9 = compare "eq" %arg0, %8 -> <batch: B, i1>
%10 = constant 1.000000e+00 : f32 -> <f32>
%11 = compare "ne" %arg0, %10 -> <batch: B, i1>
)");
}

TEST(Comparison, OfDifferentAxesInEitherOrder) {
  EXPECT_EQ(opsOf([](Function &f, Size B, Size S) {
              auto q = f.argument<int, Batch, Query>("q", B, S); // %arg0
              auto k = f.argument<int, Batch, Key>("k", B, S);   // %arg1
              auto n = f.argument<int>("n");                     // %arg2
              static_assert(std::same_as<decltype(q == k), Mask<Batch, Key, Query>>);
              static_assert(std::same_as<decltype(k != q), Mask<Batch, Key, Query>>);
              q == k;
              k == q;
              q != k;
              k != q;
              n == k;
              k != n;
              q == q;
              rename<Query, Position>(q) == q;
            }),
            R"(
%0 = compare "eq" %arg0, %arg1 -> <batch: B, key: S, query: S, i1>
%1 = compare "eq" %arg1, %arg0 -> <batch: B, key: S, query: S, i1>
%2 = compare "ne" %arg0, %arg1 -> <batch: B, key: S, query: S, i1>
%3 = compare "ne" %arg1, %arg0 -> <batch: B, key: S, query: S, i1>
%4 = compare "eq" %arg2, %arg1 -> <batch: B, key: S, i1>
%5 = compare "ne" %arg1, %arg2 -> <batch: B, key: S, i1>
%6 = compare "eq" %arg0, %arg0 -> <batch: B, query: S, i1>
%7 = rename %arg0 "query" to "position" -> <batch: B, position: S, i32>
%8 = compare "eq" %7, %arg0 -> <batch: B, position: S, query: S, i1>
)");
}

TEST(Comparison, OfDynamicAxes) {
  EXPECT_EQ(opsOf([](Function &f, Size B, Size S) {
              auto q = f.argument<float, Batch, Query>("q", B, S);
              AnyTensor any = q;
              static_assert(std::same_as<decltype(q == any), Value<Dynamic, bool>>);
              q == any;
              any != q;
              any == any;
            }),
            R"(
%0 = compare "eq" %arg0, %arg0 -> <batch: B, query: S, i1>
%1 = compare "ne" %arg0, %arg0 -> <batch: B, query: S, i1>
%2 = compare "eq" %arg0, %arg0 -> <batch: B, query: S, i1>
)");
}

TEST(Comparison, OfVariables) {
  Program program;
  auto v = program.state<int, Depth>("v", init::zeros(), 8);
  auto w = program.state<int, Width>("w", init::zeros(), 4);
  program.function("f", [&](Function &f) {
    auto x = f.argument<int, Depth>("x", 8); // %arg0
    auto y = f.argument<int, Key>("y", 5);   // %arg1
    v == x;
    x == v;
    v != x;
    x != v;
    v == y;
    y != v;
    v == v;
    w == v;
  });
  EXPECT_EQ(bodyOf(program), R"(
%0 = read @v -> <depth: 8, i32>
%1 = compare "eq" %0, %arg0 -> <depth: 8, i1>
%2 = compare "eq" %arg0, %0 -> <depth: 8, i1>
%3 = compare "ne" %0, %arg0 -> <depth: 8, i1>
%4 = compare "ne" %arg0, %0 -> <depth: 8, i1>
%5 = compare "eq" %0, %arg1 -> <depth: 8, key: 5, i1>
%6 = compare "ne" %arg1, %0 -> <depth: 8, key: 5, i1>
%7 = compare "eq" %0, %0 -> <depth: 8, i1>
%8 = read @w -> <width: 4, i32>
%9 = compare "eq" %8, %0 -> <depth: 8, width: 4, i1>
)");
}

TEST(Comparison, WithNumbersOnEitherSide) {
  EXPECT_EQ(opsOf([](Function &f, Size B, Size S) {
              auto x = f.argument<int, Batch>("x", B);
              x == 2;
              2 == x;
              3 != x;
              S != x;
            }),
            R"(
%0 = constant 2 : i32 -> <i32>
%1 = compare "eq" %arg0, %0 -> <batch: B, i1>
%2 = constant 2 : i32 -> <i32>
%3 = compare "eq" %2, %arg0 -> <batch: B, i1>
%4 = constant 3 : i32 -> <i32>
%5 = compare "ne" %4, %arg0 -> <batch: B, i1>
%6 = size_of <S> to i32 -> <i32>
%7 = compare "ne" %6, %arg0 -> <batch: B, i1>
)");
}

TEST(Comparison, HasTheUsersLine) {
  std::string found = errorIn([](Function &f, Size B, Size) {
    auto x = f.argument<int, Batch, Depth>("x", B, 8);
    auto y = f.argument<int, Depth>("y", 16);
    x == y; // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: compare: axis 'depth' has size 8 on the left, 16 on the right");
  found = errorIn([](Function &f, Size B, Size) {
    auto x = f.argument<int, Batch, Depth>("x", B, 8);
    auto y = f.argument<int, Depth>("y", 16);
    y != x; // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: compare: axis 'depth' has size 16 on the left, 8 on the right");
}

} // namespace
} // namespace axloom
