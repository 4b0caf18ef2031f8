#include "runtime/data/ByteBpeFile.h"

#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

using namespace axloom::runtime;
using nlohmann::json;

namespace {

constexpr const char *byteLevel = "ByteLevel";

// What an object says of a name; null where it says nothing.
const json &member(const json &object, const char *name) {
  static const json nothing;
  auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

bool isSet(const json &object, const char *name, bool otherwise = false) {
  const json &value = member(object, name);
  return value.is_null() ? otherwise : value.get<bool>();
}

// The objects that do one thing after the other: none for null, those of a Sequence, or one.
std::vector<json> stepsOf(const json &object, const char *sequence) {
  if (object.is_null())
    return {};
  return member(object, "type") == "Sequence" ? object.at(sequence).get<std::vector<json>>()
                                              : std::vector{object};
}

std::vector<std::string> splitAtBlank(const std::string &text) {
  size_t blank = text.find(' ');
  if (blank == text.npos)
    return {text};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

class Reader {
public:
  explicit Reader(const std::string &path) : path(path) {}

  ByteBpeFile read(const json &whole) {
    readModel(whole.at("model"));
    for (const json &token : member(whole, "added_tokens"))
      readAdded(token);
    for (const json &step : stepsOf(member(whole, "normalizer"), "normalizers"))
      readNormalizer(step);
    auto steps = stepsOf(member(whole, "pre_tokenizer"), "pretokenizers");
    for (const json &step : steps)
      file.cuts.push_back(cutOf(step));
    checkBytes(steps, member(whole, "decoder"));
    return std::move(file);
  }

private:
  template <class... Parts> [[noreturn]] void fail(const Parts &...parts) const {
    throw Error(AXL_ERROR_FORMAT, concat("'", path, "': ", parts...));
  }
  [[noreturn]] void refuse(const std::string &what, const json &found, const char *known) const {
    fail(what, " ", found.dump(), " is not known here; known: ", known);
  }

  void readModel(const json &model);
  void readMerge(const json &merge);
  void readAdded(const json &token);
  void readNormalizer(const json &step);
  WordCut cutOf(const json &step) const;
  void checkBytes(const std::vector<json> &steps, const json &decoder) const;

  int32_t idOf(const std::string &unit, const json &id);

  std::string path;
  ByteBpeFile file;
  std::unordered_map<std::string, int32_t> ids;   // of all units, added ones included
  std::unordered_map<int32_t, std::string> units; // by these ids
};

void Reader::readModel(const json &model) {
  // Files of the first years do not name the type.
  if (const json &type = member(model, "type"); !type.is_null() && type != "BPE")
    refuse("the model", type, R"("BPE")");
  const std::pair<const char *, json> neutral[] = {{"dropout", 0},
                                                   {"fuse_unk", false},
                                                   {"byte_fallback", false},
                                                   {"continuing_subword_prefix", ""},
                                                   {"end_of_word_suffix", ""}};
  for (const auto &[name, value] : neutral)
    if (const json &found = member(model, name); !found.is_null() && found != value)
      refuse(concat("the model's ", name), found, value.dump().c_str());
  for (const auto &[unit, id] : model.at("vocab").get_ref<const json::object_t &>())
    file.vocabulary.emplace(unit, idOf(unit, id));
  if (const json &unknown = member(model, "unk_token"); !unknown.is_null()) {
    auto found = file.vocabulary.find(unknown.get<std::string>());
    if (found == file.vocabulary.end())
      fail("the unk_token ", unknown.dump(), " is no unit of the vocabulary");
    file.unknown = found->second;
  }
  file.ignoresMerges = isSet(model, "ignore_merges");
  for (const json &merge : model.at("merges"))
    readMerge(merge);
}

// The id of a unit, which no other has, and which has no other.
int32_t Reader::idOf(const std::string &unit, const json &id) {
  constexpr uint64_t end = std::numeric_limits<int32_t>::max();
  if (!id.is_number_unsigned() || id.get<uint64_t>() >= end)
    fail("the unit '", unit, "' needs an id from 0 to ", end - 1, ", and has ", id.dump());
  auto number = id.get<int32_t>();
  if (int32_t other = ids.emplace(unit, number).first->second; other != number)
    fail("the unit '", unit, "' has two ids: ", other, " and ", number);
  if (const std::string &other = units.emplace(number, unit).first->second; other != unit)
    fail("two units have the id ", number, ": '", other, "' and '", unit, "'");
  return number;
}

// "a b", or ["a", "b"] in newer files.
void Reader::readMerge(const json &merge) {
  auto pair = merge.is_string() ? splitAtBlank(merge.get<std::string>())
                                : merge.get<std::vector<std::string>>();
  if (pair.size() != 2)
    fail("a merge is of two units; merge ", file.merges.size() + 1, " is ", merge.dump());
  auto unit = [&](const std::string &spelling) {
    auto found = file.vocabulary.find(spelling);
    if (found == file.vocabulary.end())
      fail("merge ", file.merges.size() + 1, ", ", merge.dump(), ", needs the unit '", spelling,
           "', which the vocabulary does not have");
    return found->second;
  };
  file.merges.push_back({unit(pair[0]), unit(pair[1]), unit(pair[0] + pair[1])});
}

void Reader::readAdded(const json &token) {
  std::string spelling = token.at("content");
  if (spelling.empty())
    fail("an added token has no content: ", token.dump());
  ByteBpeFile::Added added{.spelling = spelling,
                           .id = idOf(spelling, token.at("id")),
                           .special = isSet(token, "special"),
                           .normalized = isSet(token, "normalized")};
  for (const char *option : {"single_word", "lstrip", "rstrip"})
    if (!added.special && isSet(token, option)) // special tokens are not looked for in texts
      refuse(concat("the added token '", spelling, "' with ", option), true, "false");
  file.added.push_back(added);
}

void Reader::readNormalizer(const json &step) {
  if (const json &type = member(step, "type"); type != "NFC")
    refuse("the normalizer", type, R"("NFC", and a "Sequence" of it)");
  file.composes = true;
}

WordCut Reader::cutOf(const json &step) const {
  const json &type = member(step, "type");
  if (type == byteLevel)
    return {isSet(step, "use_regex", true) ? WordPattern::Gpt2 : WordPattern::Whole,
            step.at("add_prefix_space").get<bool>()};
  if (type == "Digits")
    return {step.at("individual_digits").get<bool>() ? WordPattern::Digit : WordPattern::Digits};
  if (type != "Split")
    refuse("the pre-tokenizer", type,
           R"("ByteLevel", "Digits", "Split", and a "Sequence" of them)");
  if (const json &behavior = step.at("behavior"); behavior != "Isolated")
    refuse("the Split's behavior", behavior, R"("Isolated")");
  const json &expression = member(step.at("pattern"), "Regex");
  auto pattern = expression.is_string() ? wordPattern(expression.get<std::string>()) : std::nullopt;
  if (!pattern)
    refuse("the Split's pattern", step.at("pattern"),
           "the regular expressions of GPT-2, Llama 3 and Qwen 2");
  return {*pattern};
}

// Units must stand for bytes, on the way from a text and back.
void Reader::checkBytes(const std::vector<json> &steps, const json &decoder) const {
  json types = json::array();
  for (const json &step : steps)
    types.push_back(member(step, "type"));
  if (types.empty() || types.back() != byteLevel || std::ranges::count(types, byteLevel) != 1)
    fail("the last pre-tokenizer, and no other, must be ", byteLevel, "; found ", types.dump());
  if (const json &type = member(decoder, "type"); type != byteLevel)
    refuse("the decoder", type, R"("ByteLevel")");
}

} // namespace

ByteBpeFile axloom::runtime::readByteBpe(const std::string &path) try {
  return Reader(path).read(json::parse(readWhole(path)));
} catch (const json::exception &error) {
  throw Error(AXL_ERROR_FORMAT,
              concat("'", path, "' is no tokenizer.json of a byte-level BPE: ", error.what()));
}
