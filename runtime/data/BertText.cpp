#include "runtime/data/BertText.h"

#include "runtime/data/CodePoints.h"
#include "runtime/data/Utf8.h"

using namespace axloom::runtime;

namespace {

bool isSpace(CodePoint c) {
  return c == '\t' || c == '\n' || c == '\r' || utf8proc_category(c) == UTF8PROC_CATEGORY_ZS ||
         c == 0x2028 || c == 0x2029;
}

// Control, format, surrogate, private and unassigned characters.
bool isOther(CodePoint c) {
  switch (utf8proc_category(c)) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_CN:
    return true;
  default:
    return false;
  }
}

bool isPunctuation(CodePoint c) {
  if (c < 0x80) // also what Unicode calls symbols: $ + < = > ^ ` | ~
    return (c > 32 && c < 48) || (c > 57 && c < 65) || (c > 90 && c < 97) || (c > 122 && c < 127);
  utf8proc_category_t category = utf8proc_category(c);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

// The blocks of CJK ideographs. Hangul, Hiragana and Katakana are written with spaces or are
// letters, and stay as they are.
bool isChinese(CodePoint c) {
  constexpr std::array<std::pair<CodePoint, CodePoint>, 8> blocks = {{{0x4E00, 0x9FFF},
                                                                      {0x3400, 0x4DBF},
                                                                      {0x20000, 0x2A6DF},
                                                                      {0x2A700, 0x2B73F},
                                                                      {0x2B740, 0x2B81F},
                                                                      {0x2B820, 0x2CEAF},
                                                                      {0xF900, 0xFAFF},
                                                                      {0x2F800, 0x2FA1F}}};
  return std::ranges::any_of(blocks, [&](const auto &b) { return c >= b.first && c <= b.second; });
}

// Calls `use` for each character; bytes that belong to none are left out.
template <class Use> void forEachCharacter(std::string_view text, Use use) {
  while (!text.empty()) {
    size_t length = utf8Length(text);
    if (length == 0) {
      text.remove_prefix(1);
      continue;
    }
    use(codePointOf(text.substr(0, length)));
    text.remove_prefix(length);
  }
}

// Collects characters into words.
class Words {
public:
  void add(CodePoint c) { word += utf8Of(c); }
  void end() {
    if (!word.empty())
      found.push_back(std::move(word));
    word.clear();
  }
  void addAlone(CodePoint c) {
    end();
    add(c);
    end();
  }

  std::vector<std::string> found;

private:
  std::string word;
};

} // namespace

std::vector<std::string> axloom::runtime::bertWords(std::string_view text) {
  Words words;
  forEachCharacter(text, [&](CodePoint original) {
    if (isSpace(original))
      return words.end();
    if (original == 0xFFFD || isOther(original))
      return;
    bool alone = isChinese(original);
    std::vector<CodePoint> parts;
    decompose(original, parts);
    for (CodePoint c : parts) {
      if (utf8proc_category(c) == UTF8PROC_CATEGORY_MN)
        continue;
      c = utf8proc_tolower(c);
      if (alone || isPunctuation(c))
        words.addAlone(c);
      else
        words.add(c);
    }
  });
  words.end();
  return words.found;
}
