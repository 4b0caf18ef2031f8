// Standard input as lines.
#include "examples/common/Lines.h"

#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <cstdio>
#include <iostream>

using namespace example;

namespace {

void readFrom(const std::string &path) {
  ASSERT_TRUE(std::freopen(path.c_str(), "r", stdin));
  std::cin.clear();
}

TEST(Lines, HaveNeitherMarkNorReturns) {
  axloom::test::TemporaryFolder folder;
  readFrom(folder.write("a", "\xef\xbb\xbfone\r\n\r\ntwo"));
  EXPECT_EQ(readLines(), (std::vector<std::string>{"one", "", "two"}));
}

TEST(Lines, OfWhatCannotBeReadAreNone) {
  axloom::test::TemporaryFolder folder;
  readFrom(folder.root().string());
  axloom::runtime::expectError(AXL_ERROR_FILE, "standard input cannot be read: Is a directory",
                               [] { readLines(); });
}

} // namespace
