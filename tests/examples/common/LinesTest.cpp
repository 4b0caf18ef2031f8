// Standard input as lines.
#include "examples/common/Lines.h"

#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <cstdio>

using namespace example;

namespace {

TEST(Lines, OfWhatCannotBeReadAreNone) {
  axloom::test::TemporaryFolder folder;
  ASSERT_TRUE(std::freopen(folder.root().c_str(), "r", stdin));
  axloom::runtime::expectError(AXL_ERROR_FILE, "standard input cannot be read: Is a directory",
                               [] { readLines(); });
}

} // namespace
