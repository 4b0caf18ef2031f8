#include "runtime/data/ByteBpe.h"

#include "runtime/core/Error.h"
#include "runtime/data/ByteBpeFile.h"
#include "runtime/data/CodePoints.h"
#include "runtime/data/NormalForm.h"
#include "runtime/data/Utf8.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

// The bytes behind the letters that units are spelled with: printable characters of Latin-1 are
// their own bytes, and those from U+0100 on are the other bytes, in order.
std::unordered_map<std::string, char> alphabet() {
  std::unordered_map<std::string, char> bytes;
  CodePoint next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    bool isPrintable = (byte > ' ' && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
    bytes.emplace(utf8Of(isPrintable ? byte : next++), char(byte));
  }
  return bytes;
}

// The bytes that a unit is spelled for; nothing if it is not spelled in letters of the alphabet.
std::optional<std::string> bytesOf(std::string_view spelling) {
  static const std::unordered_map<std::string, char> letters = alphabet();
  std::string bytes;
  while (!spelling.empty()) {
    auto letter = letters.find(std::string(spelling.substr(0, utf8Length(spelling))));
    if (letter == letters.end())
      return std::nullopt;
    bytes += letter->second;
    spelling.remove_prefix(letter->first.size());
  }
  return bytes;
}

} // namespace

ByteBpe ByteBpe::load(const std::string &path) {
  ByteBpeFile file = readByteBpe(path);
  ByteBpe bpe;
  bpe.composes = file.composes;
  bpe.cuts = file.cuts;
  bpe.letters.fill(file.unknown);
  for (const auto &[spelling, id] : file.vocabulary) {
    std::optional<std::string> bytes = bytesOf(spelling);
    bpe.addUnit(spelling, id, bytes.value_or(spelling));
    if (bytes && bytes->size() == 1)
      bpe.letters[uint8_t(bytes->front())] = id;
    if (bytes && file.ignoresMerges)
      bpe.words.emplace(*bytes, id);
  }
  for (const ByteBpeFile::Merge &merge : file.merges)
    bpe.merges.add(merge.left, merge.right, merge.joined);
  for (const ByteBpeFile::Added &token : file.added) {
    std::string text =
        token.normalized && file.composes ? composed(token.spelling) : token.spelling;
    bpe.addUnit(token.spelling, token.id, token.special ? "" : bytesOf(text).value_or(text));
    (token.normalized ? bpe.addedComposed : bpe.added).add(text, token.id, token.special);
  }
  return bpe;
}

void ByteBpe::addUnit(const std::string &spelling, int32_t id, const std::string &bytes) {
  units.insert_or_assign(id, Unit{spelling, bytes});
  idOfUnit.insert_or_assign(spelling, id);
  largest = std::max(largest, id);
}

std::vector<int32_t> ByteBpe::encode(std::string_view text) const {
  std::vector<int32_t> found;
  auto addToken = [&](int32_t id) { found.push_back(id); };
  auto addText = [&](std::string_view part) { encodeText(part, cuts, found); };
  added.cut(
      text,
      [&](std::string_view part) {
        std::string normal = composes ? composed(part) : std::string(part);
        addedComposed.cut(normal, addText, addToken);
      },
      addToken);
  return found;
}

void ByteBpe::encodeText(std::string_view text, std::span<const WordCut> steps,
                         std::vector<int32_t> &found) const {
  if (steps.empty())
    return encodeWord(text, found);
  std::string spaced;
  if (steps.front().space && !text.starts_with(' '))
    text = spaced.append(" ").append(text);
  while (!text.empty())
    encodeText(takeWord(steps.front().pattern, text), steps.subspan(1), found);
}

void ByteBpe::encodeWord(std::string_view word, std::vector<int32_t> &found) const {
  if (auto whole = words.find(std::string(word)); whole != words.end())
    return found.push_back(whole->second);
  std::vector<int32_t> joined;
  for (char byte : word)
    if (std::optional<int32_t> letter = letters[uint8_t(byte)])
      joined.push_back(*letter);
  merges.apply(joined);
  found.insert(found.end(), joined.begin(), joined.end());
}

std::string ByteBpe::decode(std::span<const int32_t> ids) const {
  std::string text;
  for (int32_t id : ids)
    text += at(id).bytes;
  return text;
}

std::optional<int32_t> ByteBpe::find(std::string_view unit) const {
  auto found = idOfUnit.find(std::string(unit));
  return found == idOfUnit.end() ? std::nullopt : std::optional(found->second);
}

int32_t ByteBpe::id(std::string_view unit) const {
  if (std::optional<int32_t> found = find(unit))
    return *found;
  throw Error(AXL_ERROR_DATA, concat("the vocabulary has no unit '", unit, "'"));
}

const std::string &ByteBpe::unit(int32_t id) const { return at(id).spelling; }

const ByteBpe::Unit &ByteBpe::at(int32_t id) const {
  if (auto found = units.find(id); found != units.end())
    return found->second;
  throw Error(AXL_ERROR_DATA, concat("token ", id, " is outside the vocabulary of ", units.size(),
                                     " units with ids up to ", largest));
}
