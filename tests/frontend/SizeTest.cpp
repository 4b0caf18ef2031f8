#include "tests/frontend/Build.h"

namespace axloom {
namespace {

TEST(Size, IsANumberASymbolOrAProduct) {
  Size B = Size::symbol("B"), S = Size::symbol("S");
  EXPECT_EQ(Size(512).print(), "512");
  EXPECT_EQ((2 * S * B * 3).print(), "6*B*S");
  EXPECT_EQ((B * B).print(), "B*B");
  EXPECT_EQ(S * B, B * S);
  EXPECT_NE(S * B, B * S * 2);
  EXPECT_TRUE(Size(3).isConstant());
  EXPECT_FALSE(B.isConstant());
}

TEST(Size, DividesExactly) {
  Size B = Size::symbol("B"), S = Size::symbol("S");
  EXPECT_EQ(Size(512) / 8, Size(64));
  EXPECT_EQ(6 * B * S / (2 * S), 3 * B);
  EXPECT_EQ(B * B / B, B);
}

TEST(Size, SaysWhatDoesNotDivide) {
  Size B = Size::symbol("B");
  std::string found = errorOf([&] {
    (void)(B * 4 / 3); // here
  });
  EXPECT_EQ(found,
            "here: error: size 4*B is not a multiple of size 3\n"
            "  expected: sizes that divide without remainder\n"
            "  found: 4*B / 3\n"
            "  to do: choose sizes that divide, e.g. a width that is a multiple of the heads");
}

TEST(Size, MayDifferAlongAnAxis) {
  Size ragged = Size::symbol("S").raggedOver<Batch>();
  EXPECT_EQ(ragged.print(), "S[batch]");
  EXPECT_NE(ragged, Size::symbol("S"));
  EXPECT_EQ((ragged * 2).print(), "2*S[batch]"); // which no tensor can have, and no S*2 either
  EXPECT_EQ((2 * ragged / 2), ragged);
  EXPECT_FALSE(Size(8).raggedOver<Batch>().isConstant());
  std::string found = errorOf([&] {
    (void)(ragged / ragged); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: size S[batch] is not a multiple of size S[batch]");
  found = errorOf([&] {
    (void)(ragged / Size::symbol("S")); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: size S[batch] is not a multiple of size S");
  found = errorOf([&] {
    (void)(ragged * Size::symbol("T").raggedOver<Heads>()); // here
  });
  EXPECT_EQ(found, "here: error: a product of sizes that are ragged over different axes\n"
                   "  expected: sizes that differ along one axis at most\n"
                   "  found: S[batch] * T[heads]\n"
                   "  to do: pass the product as an argument");
}

} // namespace
} // namespace axloom
