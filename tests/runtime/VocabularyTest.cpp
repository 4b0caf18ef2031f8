// Subword vocabularies: learned, stored, used.
#include "runtime/data/Vocabulary.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/TemporaryFolder.h"

using namespace axloom::runtime;
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

TEST_F(VocabularyTest, LearnsEncodesAndDecodes) {
  Vocabulary::learn(lines, 80, folder.path("v"));
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  EXPECT_EQ(vocabulary.size(), 80);
  for (const std::string &text : texts) {
    auto ids = vocabulary.encode(text);
    EXPECT_EQ(vocabulary.decode(ids), text);
    for (int32_t id : ids) {
      EXPECT_GT(id, Vocabulary::end);
      EXPECT_LT(id, 80);
    }
  }
  EXPECT_EQ(vocabulary.piece(Vocabulary::end), "</s>");
}

TEST_F(VocabularyTest, TheSameTextGivesTheSameFile) {
  Vocabulary::learn(lines, 80, folder.path("a"));
  Vocabulary::learn(lines, 80, folder.path("b"));
  EXPECT_EQ(readFile(folder.path("a")), readFile(folder.path("b")));
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

TEST_F(VocabularyTest, TooLittleText) {
  expectError(AXL_ERROR_DATA,
              testing::AllOf(HasSubstr("cannot learn a vocabulary of 5000 units from 49 lines: "),
                             HasSubstr("Vocabulary size too high")),
              [&] { Vocabulary::learn(lines, 5000, folder.path("v")); });
  EXPECT_EQ(folder.list(), "");
}

TEST_F(VocabularyTest, FilesThatAreNone) {
  expectError(AXL_ERROR_FILE,
              concat("cannot read vocabulary '", folder.path("v"), "': No such file or directory"),
              [&] { Vocabulary::load(folder.path("v")); });
  folder.write("v", "nonsense");
  expectError(AXL_ERROR_FORMAT,
              HasSubstr("'" + folder.path("v") +
                        "' is no vocabulary, or one with other special "
                        "units than padding 0, unknown 1, begin 2, end 3"),
              [&] { Vocabulary::load(folder.path("v")); });
}

} // namespace
