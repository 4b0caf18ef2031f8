// What the masks of attention are made of.
#include "tests/frontend/Build.h"

#include "frontend/nn/Masks.h"

#include <gtest/gtest.h>

namespace axloom {
namespace {

TEST(Masks, CausalMaskSeesTheQueryAndWhatIsBeforeIt) {
  EXPECT_EQ(opsOf([](Function &, Size, Size S) { nn::causal<Query, Key>(S); }),
            R"(
%0 = iota "query" size <S> -> <query: S, i32>
%1 = iota "key" size <S> -> <key: S, i32>
%2 = compare "le" %1, %0 -> <key: S, query: S, i1>
)");
}

TEST(Masks, ASlidingWindowHidesWhatIsFar) {
  EXPECT_EQ(opsOf([](Function &, Size, Size S) { nn::causal<Query, Key>(S, 5); }),
            R"(
%0 = iota "query" size <S> -> <query: S, i32>
%1 = iota "key" size <S> -> <key: S, i32>
%2 = compare "le" %1, %0 -> <key: S, query: S, i1>
%3 = sub %0, %1 -> <key: S, query: S, i32>
%4 = constant 5 : i32 -> <i32>
%5 = compare "lt" %3, %4 -> <key: S, query: S, i1>
%6 = and %2, %5 -> <key: S, query: S, i1>
)");
}

} // namespace
} // namespace axloom
