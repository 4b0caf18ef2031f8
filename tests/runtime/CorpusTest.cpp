// Sentence pairs and documents: what is read, and what is refused with file and line.
#include "runtime/data/Corpus.h"
#include "runtime/data/Utf8.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

class Corpus : public testing::Test {
protected:
  void expectDataError(const std::string &contents, const std::string &message) {
    std::string path = folder.write("a.tsv", contents);
    expectError(AXL_ERROR_DATA, path + message, [&] { readPairs(path); });
  }

  TemporaryFolder folder;
};

TEST_F(Corpus, ReadsPairs) {
  auto pairs = readPairs(folder.write("a.tsv", "a dog\tein Hund\na cat\teine Katze\r\n"));
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[1].source, "a cat");
  EXPECT_EQ(pairs[1].target, "eine Katze");
}

TEST_F(Corpus, ReadsLabelledTexts) {
  auto texts = readLabelledTexts(folder.write("a.tsv", "games\ta board\nmath\ta number\n"));
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[1].label, "math");
  EXPECT_EQ(texts[1].text, "a number");
}

TEST_F(Corpus, LabelledTextsAreWholeLines) {
  auto expectRefused = [&](const std::string &text, const std::string &message) {
    std::string path = folder.write("a.tsv", text);
    expectError(AXL_ERROR_DATA, path + message, [&] { readLabelledTexts(path); });
  };
  expectRefused("a\tb\nno tab\n", ":2: expected 'label<TAB>text', found one column");
  expectRefused("games\t \n", ":1: the text is empty");
  expectRefused("\ta text\n", ":1: the label is empty");
}

TEST_F(Corpus, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(readPairs(folder.write("a.tsv", "a\tb\nc\td")).size(), 2u);
}

TEST_F(Corpus, AByteOrderMarkIsNoText) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(readLabelledTexts(folder.write("a.tsv", mark + "games\ta board\n"))[0].label, "games");
  EXPECT_EQ(readDocuments(folder.write("a.txt", mark + "One.\n" + mark + "Two.\n")),
            (std::vector<Document>{{"One.", mark + "Two."}}));
  std::string path = folder.write("b.txt", mark);
  expectError(AXL_ERROR_DATA, testing::HasSubstr("'" + path + "' is empty"),
              [&] { readDocuments(path); });
  path = folder.write("b.tsv", mark + "\ta text\n");
  expectError(AXL_ERROR_DATA, path + ":1: the label is empty", [&] { readLabelledTexts(path); });
}

TEST_F(Corpus, MissingAndUnreadable) {
  std::string hint = "; expected a file with a sentence pair a line, 'source<TAB>target'";
  expectError(AXL_ERROR_DATA,
              "cannot read '" + folder.path("b.tsv") + "': No such file or directory" + hint,
              [&] { readPairs(folder.path("b.tsv")); });
  expectError(AXL_ERROR_DATA, "cannot read '" + folder.root().string() + "': Is a directory" + hint,
              [&] { readPairs(folder.root().string()); });
}

TEST_F(Corpus, Empty) {
  std::string path = folder.write("a.tsv", "");
  expectError(AXL_ERROR_DATA,
              "'" + path + "' is empty; expected a sentence pair a line, 'source<TAB>target'",
              [&] { readPairs(path); });
}

TEST_F(Corpus, WrongLinesAreNamed) {
  expectDataError("a\tb\none column\n", ":2: expected 'source<TAB>target', found one column");
  expectDataError("a\tb\tc\n", ":1: expected 'source<TAB>target', found more than two columns");
  expectDataError("a\tb\n\tc\n", ":2: the source is empty");
  expectDataError("a\t  \n", ":1: the target is empty");
  expectDataError("a\tb\nb\t\xff\xfe\n", ":2: the text is not UTF-8");
}

TEST_F(Corpus, ReadsDocuments) {
  std::string path = folder.write("a.txt", "\nOne.\nTwo.\r\n\n \nThree.\n\n\nFour.");
  EXPECT_EQ(readDocuments(path), (std::vector<Document>{{"One.", "Two."}, {"Three."}, {"Four."}}));
}

TEST_F(Corpus, DocumentsThatAreNone) {
  std::string expected = "a sentence a line and a blank line between documents";
  expectError(AXL_ERROR_DATA,
              "cannot read '" + folder.path("b.txt") +
                  "': No such file or directory; expected a file with " + expected,
              [&] { readDocuments(folder.path("b.txt")); });
  std::string blank = folder.write("blank.txt", "\n \n\n");
  expectError(AXL_ERROR_DATA, "'" + blank + "' is empty; expected " + expected,
              [&] { readDocuments(blank); });
  std::string binary = folder.write("binary.txt", "One.\n\xff\xfe\n");
  expectError(AXL_ERROR_DATA, binary + ":2: the text is not UTF-8", [&] { readDocuments(binary); });
}

TEST(Utf8, CharactersHaveOneStart) {
  constexpr std::string_view text = "a\u00df\U0001d11e"; // of one byte, two, and four
  constexpr size_t starts[] = {0, 1, 1, 3, 3, 3, 3, 7};
  for (size_t place = 0; place <= text.size(); ++place)
    EXPECT_EQ(characterStart(text, place), starts[place]);
  EXPECT_EQ(characterStart("\x80\x80\x80\x80\x80", 4), 1u);
}

TEST(Utf8, WellAndIllFormed) {
  for (const char *text : {"", "ascii", "äöü", "日本", "😀", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(isUtf8(text)) << text;
  for (const char *text :
       {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\xc3z"})
    EXPECT_FALSE(isUtf8(text));
}

} // namespace
