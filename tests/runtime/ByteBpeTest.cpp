// Ids of texts against those of Hugging Face's library, stored in bytebpe/ (made by
// bytebpe/make.py), and what it refuses.
#include "runtime/data/ByteBpe.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

using namespace axloom::runtime;
using namespace axloom::test;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

// The character that files spell a byte with.
std::string letter(int byte) {
  int others = 0;
  auto isItself = [](int b) {
    return (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || (b >= 0xae && b <= 0xff);
  };
  for (int b = 0; b < byte; ++b)
    others += !isItself(b);
  int code = isItself(byte) ? byte : 256 + others;
  if (code < 0x80)
    return {char(code)};
  return {char(0xc0 | (code >> 6)), char(0x80 | (code & 0x3f))};
}

json byteLevel(bool words = true, bool space = false) {
  return {{"type", "ByteLevel"}, {"add_prefix_space", space}, {"use_regex", words}};
}

json addedToken(int id, const std::string &content, bool special) {
  return {{"id", id}, {"content", content}, {"special", special}, {"normalized", false}};
}

// A file with a unit for each byte, whose id it is, and from 256 on those of the merges.
json fileWith(const std::vector<std::pair<std::string, std::string>> &merges) {
  json file = {{"model", {{"type", "BPE"}, {"merges", json::array()}}},
               {"pre_tokenizer", byteLevel()},
               {"decoder", byteLevel()}};
  json &vocabulary = file["model"]["vocab"];
  for (int byte = 0; byte < 256; ++byte)
    vocabulary[letter(byte)] = byte;
  for (const auto &[left, right] : merges) {
    file["model"]["merges"].push_back(left + ' ' + right);
    vocabulary.emplace(left + right, vocabulary.size());
  }
  return file;
}

ByteBpe load(const json &file) {
  TemporaryFolder folder;
  return ByteBpe::load(folder.write("tokenizer.json", file.dump()));
}

std::vector<int32_t> bytesOf(const std::string &text) {
  std::vector<int32_t> ids;
  for (char byte : text)
    ids.push_back(uint8_t(byte));
  return ids;
}

std::vector<std::string> words(WordPattern pattern, std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty())
    found.emplace_back(takeWord(pattern, text));
  return found;
}

TEST(ByteBpe, IdsAreThoseOfHuggingFace) {
  std::ifstream stored(std::string(std::getenv("AXLOOM_SOURCE_DIR")) +
                       "/tests/runtime/bytebpe/cases.json");
  json cases = json::parse(stored);
  ASSERT_GT(cases["variants"].size(), 10u);
  for (const json &variant : cases["variants"]) {
    SCOPED_TRACE(variant["name"]);
    json file = variant["parts"];
    file["model"] = cases["model"];
    file["model"].update(variant["changes"]);
    file["decoder"] = byteLevel();
    ByteBpe vocabulary = load(file);
    ASSERT_GT(cases["texts"].size(), 50u);
    for (size_t i = 0; i < cases["texts"].size(); ++i) {
      std::string text = cases["texts"][i];
      const json &result = variant["results"][i];
      std::vector<int32_t> ids = result["ids"];
      EXPECT_EQ(vocabulary.encode(text), ids) << text;
      EXPECT_EQ(vocabulary.decode(ids), result.value("decoded", text));
    }
  }
}

TEST(ByteBpe, WordsOfGpt2) {
  EXPECT_THAT(words(WordPattern::Gpt2, "I'll say 'S  12.5 x\r\n\r\n y \u00a0é\u0301"),
              ElementsAre("I", "'ll", " say", " '", "S", " ", " 12", ".", "5", " x", "\r\n\r\n",
                          " y", " ", "\u00a0", "é", "\u0301"));
  EXPECT_THAT(words(WordPattern::Gpt2, "I'mx  \n"), ElementsAre("I", "'m", "x", "  \n"));
  EXPECT_THAT(words(WordPattern::Gpt2, "a\u02b0b \u0085c \u2029d"),
              ElementsAre("a\u02b0b", " ", "\u0085", "c", " ", "\u2029", "d"));
  EXPECT_THAT(words(WordPattern::Gpt2, "a \xff\xffz \xc3"),
              ElementsAre("a", " \xff\xff", "z", " \xc3"));
}

TEST(ByteBpe, WordsOfLlama3) {
  EXPECT_THAT(words(WordPattern::Llama3, "I'LL (say) 'S  12345.x\r\n \n y!?\r\n\n é\u0301a"),
              ElementsAre("I", "'LL", " (", "say", ")", " '", "S", " ", " ", "123", "45", ".x",
                          "\r\n \n", " y", "!?\r\n\n", " é", "\u0301a"));
  EXPECT_THAT(words(WordPattern::Llama3, "'\u017fa  "), ElementsAre("'\u017f", "a", "  "));
  EXPECT_THAT(words(WordPattern::Llama3, "\xffx\xff 1"), ElementsAre("\xffx", "\xff", " ", "1"));
}

TEST(ByteBpe, WordsOfTheOtherPatterns) {
  EXPECT_THAT(words(WordPattern::Qwen2, "a 12"), ElementsAre("a", " ", "1", "2"));
  EXPECT_THAT(words(WordPattern::Digit, "a 12½b"), ElementsAre("a ", "1", "2", "½", "b"));
  EXPECT_THAT(words(WordPattern::Digits, "a 12½b"), ElementsAre("a ", "12½", "b"));
  EXPECT_THAT(words(WordPattern::Whole, "a 12"), ElementsAre("a 12"));
}

TEST(ByteBpe, TheEarliestMergeComesFirstAndThenTheLeftmost) {
  PairMerges merges;
  merges.add(2, 3, 10);
  merges.add(1, 2, 11);
  merges.add(1, 1, 12);
  merges.add(12, 1, 13);
  merges.add(1, 10, 14);
  auto joined = [&](std::vector<int32_t> word) {
    merges.apply(word);
    return word;
  };
  EXPECT_THAT(joined({1, 2, 3}), ElementsAre(14));
  EXPECT_THAT(joined({1, 2, 2, 3}), ElementsAre(11, 10));
  EXPECT_THAT(joined({1, 1, 1}), ElementsAre(13));
  EXPECT_THAT(joined({1, 1, 1, 1, 1}), ElementsAre(12, 13));
  EXPECT_THAT(joined({3, 1}), ElementsAre(3, 1));
  EXPECT_THAT(joined({}), IsEmpty());
}

// Nothing takes time with the square of a text's length.
TEST(ByteBpe, LongWordsAreNoProblem) {
  json file = fileWith({{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}});
  file["normalizer"] = {{"type", "NFC"}};
  ByteBpe vocabulary = load(file);
  constexpr size_t length = 200'003;
  std::vector<int32_t> ids = vocabulary.encode(std::string(length, 'a'));
  ASSERT_EQ(ids.size(), length / 8 + 2);
  EXPECT_THAT(std::vector(ids.end() - 3, ids.end()), ElementsAre(258, 256, 'a'));

  std::string above, below; // these marks come first in normal form
  for (size_t i = 0; i < length; ++i) {
    above += "\u0301";
    below += "\u0323";
  }
  EXPECT_EQ(vocabulary.decode(vocabulary.encode(above + below)), below + above);
}

TEST(ByteBpe, AllOfATextIsText) {
  json file = fileWith({});
  file["added_tokens"] = {addedToken(256, "<|end|>", true), addedToken(257, "<tool>", false),
                          addedToken(258, "<tool>s", false), addedToken(259, "nd|><tool>", false),
                          addedToken(260, "ĠĠ", false)};
  ByteBpe vocabulary = load(file);
  EXPECT_EQ(vocabulary.encode("<|end|>"), bytesOf("<|end|>"));
  EXPECT_THAT(vocabulary.encode("a<tool>s<tool>"), ElementsAre('a', 258, 257));
  // What begins inside a special token is none.
  std::vector<int32_t> ids = bytesOf("<|end|>");
  ids.push_back(257);
  EXPECT_EQ(vocabulary.encode("<|end|><tool>"), ids);
  EXPECT_EQ(vocabulary.decode(std::vector<int32_t>{256, 'a', 257, 260, 256}), "a<tool>  ");
}

TEST(ByteBpe, AnyBytesComeBack) {
  json file = fileWith({{"Ã", "©"}, {"Ġ", "a"}, {"Ã©", "Ã©"}});
  ByteBpe vocabulary = load(file);
  file["normalizer"] = {{"type", "NFC"}};
  ByteBpe composing = load(file);
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    for (size_t length = random() % 20; text.size() < length;)
      text += random() % 3 == 0 ? char(random()) : "\u00e9\xcc\xe2\x82 a"[random() % 8];
    EXPECT_EQ(vocabulary.decode(vocabulary.encode(text)), text);
  }
  EXPECT_EQ(composing.decode(composing.encode("\xff"
                                              "e\u0301\xcc e\xff\u0301")),
            "\xff\u00e9\xcc e\xff\u0301");
}

TEST(ByteBpe, BytesWithoutAUnit) {
  json file = fileWith({{"a", "b"}});
  file["model"]["vocab"].erase("x");
  EXPECT_THAT(load(file).encode("axbx"), ElementsAre(256));
  file["model"]["unk_token"] = "?";
  EXPECT_THAT(load(file).encode("axbx"), ElementsAre('a', '?', 'b', '?'));
}

TEST(ByteBpe, WholeWordsThatAreUnits) {
  json file = fileWith({{"Ġ", "a"}, {"b", "c"}, {"a", "bc"}, {"Ġ", "abc"}});
  EXPECT_THAT(load(file).encode(" abc"), ElementsAre(256, 257));
  file["model"]["ignore_merges"] = true;
  EXPECT_THAT(load(file).encode(" abc"), ElementsAre(259));
  EXPECT_THAT(load(file).encode(" abca"), ElementsAre(256, 257, 'a'));
}

TEST(ByteBpe, UnitsAndIds) {
  json file = fileWith({{"Ġ", "a"}});
  file["model"]["merges"] = json::parse(R"([["Ġ", "a"]])"); // as newer files have them
  file["added_tokens"].push_back(addedToken(300, "<|end|>", true));
  ByteBpe vocabulary = load(file);
  EXPECT_EQ(vocabulary.size(), 301);
  EXPECT_EQ(vocabulary.id("Ġa"), 256);
  EXPECT_EQ(vocabulary.find("<|end|>"), 300);
  EXPECT_EQ(vocabulary.find(" a"), std::nullopt);
  EXPECT_EQ(vocabulary.unit(256), "Ġa");
  EXPECT_EQ(vocabulary.unit(300), "<|end|>");
  EXPECT_EQ(vocabulary.decode(vocabulary.encode(" a")), " a");
  expectError(AXL_ERROR_DATA, "the vocabulary has no unit '<|start|>'",
              [&] { vocabulary.id("<|start|>"); });
  for (int32_t id : {-1, 299, 301}) // ids may have gaps
    expectError(AXL_ERROR_DATA,
                concat("token ", id, " is outside the vocabulary of 258 units with ids up to 300"),
                [&] { vocabulary.decode(std::vector{id}); });
  expectError(AXL_ERROR_DATA, HasSubstr("token 301 is outside"), [&] { vocabulary.unit(301); });
}

struct Refusal {
  std::string message; // behind "'PATH': "
  json patch;          // of a file that is fine
};

TEST(ByteBpe, RefusesWhatIsNotKnown) {
  json split = {{"type", "Split"}, {"behavior", "Isolated"}, {"pattern", {{"Regex", "\\w+"}}}};
  json removed = split, spaces = split;
  removed["behavior"] = "Removed";
  spaces["pattern"] = {{"String", " "}};
  auto model = [](const std::string &name, const json &value) -> json {
    return {{"model", {{name, value}}}};
  };
  auto cuts = [](const json &steps) -> json {
    return {{"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", steps}}}};
  };
  auto added = [](json token, const json &changes) -> json {
    token.update(changes);
    return {{"added_tokens", json::array({token})}};
  };
  json token = addedToken(256, "<tool>", false);
  const Refusal refusals[] = {
      {R"(the model "WordPiece" is not known here; known: "BPE")", model("type", "WordPiece")},
      {"the model's dropout 0.5 is not known here; known: 0", model("dropout", 0.5)},
      {"the model's byte_fallback true is not known here; known: false",
       model("byte_fallback", true)},
      {"the model's fuse_unk true is not known here; known: false", model("fuse_unk", true)},
      {R"(the model's continuing_subword_prefix "##" is not known here; known: "")",
       model("continuing_subword_prefix", "##")},
      {R"(the model's end_of_word_suffix "</w>" is not known here; known: "")",
       model("end_of_word_suffix", "</w>")},
      {R"(the unk_token "<unk>" is no unit of the vocabulary)", model("unk_token", "<unk>")},
      {"the unit 'a' needs an id from 0 to 2147483646, and has -1", model("vocab", {{"a", -1}})},
      {"the unit 'a' needs an id from 0 to 2147483646, and has 2147483647",
       model("vocab", {{"a", 2147483647}})},
      {"two units have the id 97: 'a' and 'z'", model("vocab", {{"z", 97}})},
      {R"(a merge is of two units; merge 1 is "ab")", model("merges", json::array({"ab"}))},
      {R"(a merge is of two units; merge 1 is ["a","b","c"])",
       model("merges", json::parse(R"([["a", "b", "c"]])"))},
      {R"(merge 1, "a b", needs the unit 'ab', which the vocabulary does not have)",
       model("merges", json::array({"a b"}))},
      {R"(the normalizer "Lowercase" is not known here; known: "NFC", and a "Sequence" of it)",
       {{"normalizer", {{"type", "Lowercase"}}}}},
      {R"(the pre-tokenizer "Punctuation" is not known here; known: "ByteLevel", "Digits", )"
       R"("Split", and a "Sequence" of them)",
       {{"pre_tokenizer", {{"type", "Punctuation"}}}}},
      {R"(the Split's behavior "Removed" is not known here; known: "Isolated")",
       cuts({removed, byteLevel()})},
      {R"(the Split's pattern {"Regex":"\\w+"} is not known here; known: the regular )"
       R"(expressions of GPT-2, Llama 3 and Qwen 2)",
       cuts({split, byteLevel()})},
      {R"(the Split's pattern {"String":" "} is not known here; known: the regular )"
       R"(expressions of GPT-2, Llama 3 and Qwen 2)",
       cuts({spaces, byteLevel()})},
      {R"(the last pre-tokenizer, and no other, must be ByteLevel; found [])",
       {{"pre_tokenizer", nullptr}}},
      {R"(the last pre-tokenizer, and no other, must be ByteLevel; found )"
       R"(["ByteLevel","Digits"])",
       cuts({byteLevel(), {{"type", "Digits"}, {"individual_digits", true}}})},
      {R"(the last pre-tokenizer, and no other, must be ByteLevel; found )"
       R"(["ByteLevel","ByteLevel"])",
       cuts({byteLevel(), byteLevel()})},
      {R"(the decoder "Metaspace" is not known here; known: "ByteLevel")",
       {{"decoder", {{"type", "Metaspace"}}}}},
      {"the decoder null is not known here; known: \"ByteLevel\"", {{"decoder", nullptr}}},
      {"two units have the id 97: 'a' and '<tool>'", added(token, {{"id", 97}})},
      {"the unit 'a' has two ids: 97 and 256", added(token, {{"content", "a"}})},
      {R"(an added token has no content: {"content":"","id":256,"normalized":false,)"
       R"("special":false})",
       added(token, {{"content", ""}})},
      {"the added token '<tool>' with lstrip true is not known here; known: false",
       added(token, {{"lstrip", true}})},
  };
  TemporaryFolder folder;
  for (const Refusal &refusal : refusals) {
    json file = fileWith({});
    file.merge_patch(refusal.patch);
    std::string path = folder.write("tokenizer.json", file.dump());
    expectError(AXL_ERROR_FORMAT, "'" + path + "': " + refusal.message,
                [&] { ByteBpe::load(path); });
  }
}

TEST(ByteBpe, RefusesWhatIsNoTokenizer) {
  TemporaryFolder folder;
  expectError(AXL_ERROR_FILE, HasSubstr("No such file"),
              [&] { ByteBpe::load(folder.path("missing")); });
  for (const char *text : {"", "[]", "{}", R"({"model": {"vocab": [], "merges": []}})",
                           R"({"model": {"vocab": {}, "merges": [1]}})"}) {
    std::string path = folder.write("other", text);
    expectError(AXL_ERROR_FORMAT,
                HasSubstr("'" + path + "' is no tokenizer.json of a byte-level BPE: "),
                [&] { ByteBpe::load(path); });
  }
}

} // namespace
