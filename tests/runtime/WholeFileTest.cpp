// Files of text: read whole or refused, and taken apart into lines.
#include "runtime/checkpoint/WholeFile.h"
#include "runtime/checkpoint/NameTable.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <vector>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();)
    lines.emplace_back(takeLine(rest));
  return lines;
}

TEST(WholeFile, ReadsAllThereIs) {
  TemporaryFolder folder;
  std::string text(100'000, 'x');
  text += '\0';
  EXPECT_EQ(readWhole(folder.write("a", text)), text);
  EXPECT_EQ(readWhole(folder.write("b", "")), "");
}

TEST(WholeFile, AMarkOfTheEncodingIsNoText) {
  EXPECT_EQ(withoutMark("\xef\xbb\xbfword"), "word");
  EXPECT_EQ(withoutMark("word"), "word");
  NameTable::parse("\xef\xbb\xbf# a comment alone\n", "names"); // and no row
}

TEST(WholeFile, SaysWhatCannotBeRead) {
  TemporaryFolder folder;
  std::string root = folder.root().string(), missing = folder.path("missing");
  expectError(AXL_ERROR_FILE, "cannot read '" + missing + "': No such file or directory; make it",
              [&] { readWhole(missing, "; make it"); });
  expectError(AXL_ERROR_DATA, "cannot read '" + root + "': Is a directory",
              [&] { readWhole(root, "", AXL_ERROR_DATA); });
  expectError(AXL_ERROR_FILE, "cannot read '" + root + "': Is a directory",
              [&] { NameTable::load(root); });
  // Opens, but nothing is mapped where it begins.
  expectError(AXL_ERROR_FILE, "cannot read '/proc/self/mem': Input/output error",
              [] { readWhole("/proc/self/mem"); });
}

TEST(WholeFile, Lines) {
  EXPECT_EQ(linesOf(""), (std::vector<std::string>{}));
  EXPECT_EQ(linesOf("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(linesOf("a\n\n"), (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(linesOf("a\r\n\r\nb\rc\r"), (std::vector<std::string>{"a", "", "b\rc"}));
}

} // namespace
