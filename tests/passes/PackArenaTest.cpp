// Slots of an arena: how tight they are at the sizes that they were made for, and that at no size
// two that are needed at the same time overlap.

#include "passes/PackArena.h"

#include "ir/Dialect.h"

#include <gtest/gtest.h>
#include <random>

using namespace axloom;
using namespace axloom::passes;
using ir::SizeAttr;

namespace {
class PackArena : public testing::Test {
protected:
  PackArena() { context.loadDialect<ir::AxloomDialect>(); }

  SizeAttr fixed(int64_t bytes) { return SizeAttr::fixed(&context, bytes); }
  SizeAttr tokens(int64_t bytes) { return SizeAttr::symbol(&context, "B").times(fixed(bytes)); }
  /// Bytes where the symbol is `value`.
  static auto at(int64_t value) {
    return [value](SizeAttr size) {
      return size.getFactor() * (size.getSymbols().empty() ? 1 : value);
    };
  }

  mlir::MLIRContext context;
};
} // namespace

TEST_F(PackArena, SmallTenantsLieWhereALargeOneWas) {
  // A slot as large as its largest tenant, for one tenant at a time, would take 3 x 64 x 64 more.
  ArenaTenant tenants[] = {{fixed(64 * 64 * 4), 0, 1},
                           {tokens(64), 2, 3},
                           {tokens(64), 2, 3},
                           {tokens(64), 2, 3},
                           {tokens(64), 2, 3}};
  ArenaPacking packing = packArena(tenants, at(64));
  EXPECT_EQ(slotOffsets(packing.slots, at(64)).back(), 64 * 64 * 4);
  EXPECT_EQ(slotOffsets(packing.slots, at(128)).back(), 64 * 128 * 4);
}

TEST_F(PackArena, TenantsOfOneSizeAtOnePlaceShareASlot) {
  ArenaTenant tenants[] = {{tokens(4), 0, 1}, {tokens(4), 1, 2}, {tokens(4), 2, 3}};
  ArenaPacking packing = packArena(tenants, at(64));
  EXPECT_EQ(packing.slots.size(), 2u);
  EXPECT_EQ(packing.slotOf[0], packing.slotOf[2]);
}

TEST_F(PackArena, OnlyWhatLiesDirectlyBelowIsMentioned) {
  ArenaTenant tenants[] = {{fixed(300), 0, 1}, {fixed(200), 0, 1}, {fixed(100), 0, 1}};
  ArenaPacking packing = packArena(tenants, at(1));
  ASSERT_EQ(packing.slots.size(), 3u);
  EXPECT_EQ(packing.slots[2].below, (llvm::SmallVector<int64_t>{1}));
  EXPECT_EQ(slotOffsets(packing.slots, at(1)).back(), 320 + 256 + 128);
}

TEST_F(PackArena, NothingTakesNothing) {
  ArenaPacking packing = packArena({}, at(1));
  EXPECT_EQ(slotOffsets(packing.slots, at(1)).back(), 0);
}

TEST_F(PackArena, NeighboursInTimeNeverOverlapAtAnySize) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<ArenaTenant> tenants;
    for (int i = 0; i < 40; ++i) {
      int64_t bytes = int64_t(random() % 1000);
      unsigned from = random() % 30;
      tenants.push_back(
          {random() % 2 ? fixed(64 * bytes) : tokens(bytes), from, from + unsigned(random() % 8)});
    }
    ArenaPacking packing = packArena(tenants, at(64));
    for (int64_t value : {1, 7, 64, 1000}) {
      auto offsets = slotOffsets(packing.slots, at(value));
      for (size_t a = 0; a < tenants.size(); ++a) {
        double begin = offsets[packing.slotOf[a]],
               end = begin + double(at(value)(tenants[a].bytes));
        EXPECT_LE(end, offsets.back());
        for (size_t b = 0; b < a; ++b) {
          double other = offsets[packing.slotOf[b]];
          EXPECT_TRUE(!tenants[a].overlaps(tenants[b]) || end <= other ||
                      other + double(at(value)(tenants[b].bytes)) <= begin)
              << "tenants " << a << " and " << b << " at " << value;
        }
      }
    }
  }
}
