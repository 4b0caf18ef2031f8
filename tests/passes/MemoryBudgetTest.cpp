// The text of a memory budget, and what is said of one that is none.

#include "passes/MemoryBudget.h"

#include "ir/Dialect.h"

#include <gtest/gtest.h>

using namespace axloom;
using passes::MemoryBudget;

TEST(MemoryBudget, HasBytesAndSizes) {
  MemoryBudget budget;
  EXPECT_EQ(MemoryBudget::parse("1.5G@B=32,S=64,total.S=2000", budget), "");
  EXPECT_EQ(budget.bytes, 1'500'000'000);
  EXPECT_EQ(budget.sizesText(), "B=32, S=64, total.S=2000");
  mlir::MLIRContext context;
  context.loadDialect<ir::AxloomDialect>();
  auto size = ir::SizeAttr::fixed(&context, 4).times(ir::SizeAttr::symbol(&context, "B"));
  EXPECT_EQ(budget.valueOf(size), 128);
  EXPECT_EQ(budget.valueOf(size.times(ir::SizeAttr::symbol(&context, "T"))), std::nullopt);
}

TEST(MemoryBudget, TakesBytesInAnyUnit) {
  for (auto [text, bytes] : {std::pair("800", 800), {"2K", 2000}, {"0.5M", 500'000}}) {
    MemoryBudget budget;
    EXPECT_EQ(MemoryBudget::parse(text, budget), "") << text;
    EXPECT_EQ(budget.bytes, bytes) << text;
  }
}

TEST(MemoryBudget, SaysWhatIsWrong) {
  auto problem = [](const char *text) {
    MemoryBudget budget;
    return MemoryBudget::parse(text, budget);
  };
  for (const char *text : {"", "much", "-1G", "0", "1.5T@B=32", "1e30", "nan"})
    EXPECT_EQ(problem(text), "the memory budget is '" + std::string(text) +
                                 "', expected bytes and sizes as in 1.5G@B=32,S=64");
  for (const char *size : {"B", "B=", "=4", "B=0", "B=-2", "B=x"})
    EXPECT_EQ(problem(("1G@" + std::string(size)).c_str()),
              "the memory budget '1G@" + std::string(size) + "' has the size '" + size +
                  "', expected a symbol and a positive number as in B=32");
  EXPECT_EQ(problem("1G@B=3,B=5"), "the memory budget '1G@B=3,B=5' has the size 'B' twice");
}
