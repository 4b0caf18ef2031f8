// Words and units of BERT against Hugging Face's own, stored in wordpiece/ (made by
// wordpiece/make.py).
#include "runtime/data/WordPiece.h"
#include "runtime/data/BertText.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string stored(const std::string &name) {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/tests/runtime/wordpiece/" + name;
}

std::string fromHexadecimal(const std::string &digits) {
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2)
    bytes += char(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST(WordPiece, IdsAreThoseOfHuggingFace) {
  WordPiece vocabulary = WordPiece::load(stored("vocab.txt"));
  std::ifstream file(stored("strings.json"));
  nlohmann::json strings = nlohmann::json::parse(file);
  ASSERT_GT(strings.size(), 60u);
  for (const auto &entry : strings) {
    std::string text = fromHexadecimal(entry["bytes"].get<std::string>());
    std::vector<int32_t> expected = entry["ids"], found = vocabulary.encode(text);
    auto units = [&](const std::vector<int32_t> &ids) {
      std::vector<std::string> list;
      for (int32_t id : ids)
        list.push_back(vocabulary.unit(id));
      return list;
    };
    EXPECT_EQ(units(found), units(expected)) << text;
  }
}

TEST(WordPiece, WordsLoseAccentsCaseAndControlCharacters) {
  EXPECT_THAT(bertWords("Caf\u00e9,\u0007 \u6211a_B\xff!"),
              ElementsAre("cafe", ",", "\u6211", "a", "_", "b", "!"));
  EXPECT_THAT(bertWords(" \n"), ElementsAre());
}

TEST(WordPiece, AMarkOfTheEncodingIsNoUnit) {
  TemporaryFolder folder;
  std::string path = folder.write("vocab", "\xef\xbb\xbf[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
  EXPECT_EQ(WordPiece::load(path).id("[PAD]"), 0);
}

TEST(WordPiece, RefusesWhatIsNoVocabulary) {
  TemporaryFolder folder;
  expectError(AXL_ERROR_FILE, HasSubstr("No such file"),
              [&] { WordPiece::load(folder.path("missing")); });
  std::string twice = folder.write("twice", "[PAD]\n[UNK]\na\n[CLS]\na\n");
  expectError(AXL_ERROR_FORMAT, twice + ":5: the unit 'a' is there already, in line 3",
              [&] { WordPiece::load(twice); });
  std::string plain = folder.write("plain", "[PAD]\n[UNK]\n[CLS]\na\n");
  expectError(AXL_ERROR_FORMAT, "'" + plain + "' is no vocabulary of BERT: it has no unit [SEP]",
              [&] { WordPiece::load(plain); });
}

TEST(WordPiece, PaddingOfModelsIsZero) {
  TemporaryFolder folder;
  EXPECT_EQ(loadPaddedWithZeros(stored("vocab.txt")).padding(), 0);
  std::string path = folder.write("other", "the\n[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
  EXPECT_EQ(WordPiece::load(path).padding(), 1);
  expectError(AXL_ERROR_DATA,
              "the vocabulary '" + path +
                  "' has [PAD] as unit 1, but the model takes unit 0 for padding, which is 'the' "
                  "there: [PAD] must be in the first line",
              [&] { loadPaddedWithZeros(path); });
}

TEST(WordPiece, UnitsAndIds) {
  WordPiece vocabulary = WordPiece::load(stored("vocab.txt"));
  EXPECT_EQ(vocabulary.padding(), 0);
  EXPECT_EQ(vocabulary.unit(vocabulary.separator()), "[SEP]");
  EXPECT_EQ(vocabulary.id("[MASK]"), 4);
  expectError(AXL_ERROR_DATA, HasSubstr("no unit '[WHAT]'"), [&] { vocabulary.id("[WHAT]"); });
  expectError(AXL_ERROR_DATA, HasSubstr("token -1 is outside"), [&] { vocabulary.unit(-1); });
}

} // namespace
