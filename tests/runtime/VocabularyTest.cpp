// Subword vocabularies: learned, stored, used.
#include "runtime/data/Vocabulary.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;

namespace {

class VocabularyTest : public testing::Test {
protected:
  VocabularyTest() {
    const char *const parts[] = {"the small dog",   "der kleine Hund", "a large house",
                                 "ein großes Haus", "reads books",     "liest Bücher",
                                 "quickly"};
    for (size_t i = 0; i < 7; ++i)
      for (size_t j = 0; j < 7; ++j)
        texts.push_back(std::string(parts[i]) + " and " + parts[j] + ".");
    lines.assign(texts.begin(), texts.end());
  }

  TemporaryFolder folder;
  std::vector<std::string> texts;
  std::vector<std::string_view> lines;
};

constexpr int32_t size = 42; // the unigram model finds no more units in so little text

class VocabularyOfUnits : public VocabularyTest, public testing::WithParamInterface<Units> {};

TEST_P(VocabularyOfUnits, LearnsEncodesAndDecodes) {
  Vocabulary::learn(lines, size, folder.path("v"), GetParam());
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  EXPECT_EQ(vocabulary.size(), size);
  for (const std::string &text : texts) {
    auto ids = vocabulary.encode(text);
    EXPECT_EQ(vocabulary.decode(ids), text);
    for (int32_t id : ids) {
      EXPECT_GT(id, Vocabulary::end);
      EXPECT_LT(id, size);
    }
  }
  EXPECT_EQ(vocabulary.piece(Vocabulary::end), "</s>");
}

TEST_P(VocabularyOfUnits, TheSameTextGivesTheSameFile) {
  Vocabulary::learn(lines, size, folder.path("a"), GetParam());
  Vocabulary::learn(lines, size, folder.path("b"), GetParam());
  EXPECT_EQ(readFile(folder.path("a")), readFile(folder.path("b")));
}

TEST_P(VocabularyOfUnits, SymbolsHaveIdsAndAreInNoText) {
  const std::string symbols[] = {"[MASK]", "[GAP]"};
  Vocabulary::learn(lines, size, folder.path("v"), GetParam(), symbols);
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  EXPECT_EQ(vocabulary.size(), size);
  EXPECT_EQ(vocabulary.id("[MASK]"), Vocabulary::end + 1);
  EXPECT_EQ(vocabulary.id("[GAP]"), Vocabulary::end + 2);
  for (int32_t id : vocabulary.encode("the [MASK] dog"))
    EXPECT_NE(id, vocabulary.id("[MASK]"));
  expectError(AXL_ERROR_DATA, HasSubstr("the vocabulary has no unit '[CLS]'"),
              [&] { vocabulary.id("[CLS]"); });
}

TEST_P(VocabularyOfUnits, TooLittleText) {
  expectError(AXL_ERROR_DATA,
              testing::AllOf(HasSubstr("cannot learn a vocabulary of 5000 units from 49 lines: "),
                             testing::ContainsRegex("Vocabulary size (is )?too high .* <= [0-9]+")),
              [&] { Vocabulary::learn(lines, 5000, folder.path("v"), GetParam()); });
  EXPECT_EQ(folder.list(), "");
}

TEST_P(VocabularyOfUnits, TooFewUnitsForTheCharacters) {
  expectError(AXL_ERROR_DATA, HasSubstr("cannot learn a vocabulary of 10 units from 49 lines: "),
              [&] { Vocabulary::learn(lines, 10, folder.path("v"), GetParam()); });
  EXPECT_EQ(folder.list(), "");
}

INSTANTIATE_TEST_SUITE_P(All, VocabularyOfUnits, testing::Values(Units::Bpe, Units::Unigram),
                         [](const auto &info) {
                           return info.param == Units::Bpe ? "Bpe" : "Unigram";
                         });

TEST_F(VocabularyTest, UnigramUnitsAreOthers) {
  Vocabulary::learn(lines, size, folder.path("bpe"));
  Vocabulary::learn(lines, size, folder.path("unigram"), Units::Unigram);
  EXPECT_NE(readFile(folder.path("bpe")), readFile(folder.path("unigram")));
}

TEST_F(VocabularyTest, LearnsFromLinesOfAnyLength) {
  std::string line;
  while (line.size() < 40'000)
    line += "Äpfel"; // no space to cut at
  while (line.size() < 80'000)
    for (const std::string &text : texts)
      line += " " + text;
  std::string_view whole = line;
  Vocabulary::learn(std::span(&whole, 1), 80, folder.path("v"));
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  for (const std::string &text : {texts.front(), texts.back(), std::string("Äpfel")})
    EXPECT_EQ(vocabulary.decode(vocabulary.encode(text)), text);
}

TEST_F(VocabularyTest, SpecialUnitsVanish) {
  Vocabulary::learn(lines, 80, folder.path("v"));
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  auto ids = vocabulary.encode("the dog.");
  ids.insert(ids.begin(), Vocabulary::begin);
  ids.insert(ids.end(), {Vocabulary::end, Vocabulary::padding, Vocabulary::padding});
  EXPECT_EQ(vocabulary.decode(ids), "the dog.");
  EXPECT_THAT(vocabulary.encode("漢"), testing::Contains(Vocabulary::unknown));
}

TEST_F(VocabularyTest, IdsOutsideAreErrors) {
  Vocabulary::learn(lines, 80, folder.path("v"));
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  for (int32_t id : {-1, 80})
    expectError(AXL_ERROR_DATA, concat("token ", id, " is outside the vocabulary of 80"),
                [&] { (void)vocabulary.decode(std::vector<int32_t>{id}); });
}

TEST_F(VocabularyTest, FilesThatAreNone) {
  expectError(AXL_ERROR_FILE,
              concat("cannot read '", folder.path("v"), "': No such file or directory"),
              [&] { Vocabulary::load(folder.path("v")); });
  folder.write("v", "nonsense");
  expectError(AXL_ERROR_FORMAT,
              HasSubstr("'" + folder.path("v") +
                        "' is no vocabulary, or one with other special "
                        "units than padding 0, unknown 1, begin 2, end 3"),
              [&] { Vocabulary::load(folder.path("v")); });
}

} // namespace
