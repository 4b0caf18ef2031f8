// What the masks of attention are made of.
#include "tests/frontend/Build.h"

#include "frontend/nn/Masks.h"
#include "frontend/nn/Transformer.h"

#include <gmock/gmock.h>

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

TEST(Masks, HeadsMaySeeDifferentKeys) {
  Program program;
  nn::LayerOptions options{.model = 32, .heads = 4, .depth = 8, .valueDepth = 8, .hidden = 64};
  nn::EncoderLayer<> layer(program.scope("layer"), options);
  program.function("f", [&](Function &f) {
    auto x = f.argument<float, Position, nn::Model>("x", 7, 32);
    auto visible = f.argument<bool, nn::Heads, Key>("visible", 4, 7);
    f.result<Position, nn::Model>("y", layer.apply<Position, Key>(x, visible, {}));
  });
  EXPECT_THAT(program.print(),
              testing::ContainsRegex("axloom.softmax %[0-9]+ mask %arg1 over \"key\""));
}

} // namespace
} // namespace axloom
