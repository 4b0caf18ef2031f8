// The lines that a location stands for.

#include "ir/SourceLines.h"
#include "tests/support/Graphs.h"

#include <gmock/gmock.h>

using namespace axloom::ir;
using namespace axloom::test;
using namespace mlir;
using testing::ElementsAre;

namespace {
class SourceLinesTest : public testing::Test {
protected:
  Location at(llvm::StringRef file, unsigned line) {
    return FileLineColLoc::get(&graphs.context(), file, line, 1);
  }

  Graphs graphs;
};
} // namespace

TEST_F(SourceLinesTest, EachLineOnceThroughAllWrappers) {
  Location two = FusedLoc::get(&graphs.context(), {at("a/model.cpp", 40), at("a/nn.h", 7)});
  Location named = NameLoc::get(StringAttr::get(&graphs.context(), "layer"), two);
  Location all = FusedLoc::get(&graphs.context(), {named, at("a/model.cpp", 40)});
  EXPECT_THAT(sourceLines(all), ElementsAre(SourceLine{"model.cpp", 40}, SourceLine{"nn.h", 7}));
  EXPECT_EQ(firstLine(all), "model.cpp:40");
}

TEST_F(SourceLinesTest, UnknownPlacesAreNoLine) {
  Location unknown = UnknownLoc::get(&graphs.context());
  EXPECT_TRUE(sourceLines(unknown).empty());
  EXPECT_EQ(firstLine(unknown), "an unknown line");
}
