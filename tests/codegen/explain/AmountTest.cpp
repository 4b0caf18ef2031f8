// Sums of products of sizes, as formulas and as numbers.

#include "codegen/explain/Amount.h"
#include "tests/support/Graphs.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;

namespace {
class AmountTest : public testing::Test {
protected:
  ir::SizeAttr symbol(llvm::StringRef name) {
    return ir::SizeAttr::symbol(&graphs.context(), name);
  }
  ir::SizeAttr fixed(int64_t value) { return ir::SizeAttr::fixed(&graphs.context(), value); }

  Graphs graphs;
};
} // namespace

static double valueOf(llvm::StringRef symbol) { return symbol == "B" ? 5 : 7; }

TEST_F(AmountTest, NothingIsZero) {
  EXPECT_TRUE(Amount().isZero());
  EXPECT_EQ(Amount().str(), "0");
  EXPECT_EQ(Amount().at(valueOf), 0);
}

TEST_F(AmountTest, EqualProductsAreOneTerm) {
  Amount amount;
  amount.add(4, {{symbol("B")}, {symbol("S")}, {fixed(16)}});
  amount.add(1, {{symbol("S")}, {symbol("B")}});
  amount.add(3, fixed(10));
  EXPECT_EQ(amount.str(), "30 + 65*B*S");
  EXPECT_EQ(amount.at(valueOf), 30 + 65 * 5 * 7);
}

TEST_F(AmountTest, PaddedDimensionsAreRoundedUp) {
  Amount amount;
  amount.add(4, {{symbol("B").times(symbol("S")), 6}, {fixed(40), 16}});
  EXPECT_EQ(amount.str(), "12*ceil(B*S / 6)"); // 40 columns are 3 panels of 16
  EXPECT_EQ(amount.at(valueOf), 12 * 6);       // 35 rows are 6 tiles of 6
}

TEST_F(AmountTest, SumsAddTermByTerm) {
  Amount one, other;
  one.add(2, symbol("B"));
  other.add(3, symbol("B"));
  other.add(1, symbol("S"));
  one += other;
  EXPECT_EQ(one.str(), "5*B + S");
}
