// How ragged tensors lie in memory.
#include "ir/Ragged.h"
#include "tests/support/Graphs.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;
using testing::ElementsAre;

namespace {
class Ragged : public testing::Test {
protected:
  std::vector<std::string> sizes(StringRef type, ArrayRef<StringRef> order) {
    std::vector<std::string> texts;
    for (ir::SizeAttr size : ir::memorySizes(graphs.type(type), names(order)))
      texts.push_back(size.str());
    return texts;
  }

  SmallVector<StringAttr> names(ArrayRef<StringRef> axes) {
    return llvm::map_to_vector(
        axes, [&](StringRef axis) { return StringAttr::get(&graphs.context(), axis); });
  }

  Graphs graphs;
};

TEST_F(Ragged, PartnerAndRaggedAxesAreOneDimension) {
  EXPECT_THAT(sizes("batch: B, model: 8, position: S[batch], f32", {"batch", "position", "model"}),
              ElementsAre("total.S", "8"));
  EXPECT_THAT(sizes("batch: B, heads: 2, key: T[batch], query: S[batch], f32",
                    {"batch", "query", "key", "heads"}),
              ElementsAre("total.S.T", "2"));
  EXPECT_THAT(sizes("batch: B, model: 8, f32", {"model", "batch"}), ElementsAre("8", "B"));
}

TEST_F(Ragged, ElementsAreThoseThatExist) {
  EXPECT_EQ(ir::elementCount(graphs.type("batch: B, model: 8, position: S[batch], f32")).str(),
            "8*total.S");
  EXPECT_EQ(ir::elementCount(graphs.type("batch: B, model: 8, f32")).str(), "8*B");
}

TEST_F(Ragged, RaggedAxesComeFirst) {
  auto type = graphs.type("batch: B, model: 8, position: S[batch], f32");
  EXPECT_EQ(ir::raggedFirst(names({"model", "position", "batch"}), type),
            names({"batch", "position", "model"}));
  auto plain = graphs.type("batch: B, model: 8, f32");
  EXPECT_EQ(ir::raggedFirst(names({"model", "batch"}), plain), names({"model", "batch"}));
}

TEST_F(Ragged, SymbolsCanBeTakenApart) {
  EXPECT_THAT(ir::factorsOfTotal("total.S.T"), ElementsAre("S", "T"));
  EXPECT_TRUE(ir::factorsOfTotal("S").empty());
  EXPECT_EQ(ir::ofLongest(ir::longestSymbol("S")), "S");
  EXPECT_EQ(ir::ofLongest("S"), "");
}
} // namespace
