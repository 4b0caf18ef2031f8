#include "runtime/data/WordPattern.h"

#include "runtime/data/CodePoints.h"
#include "runtime/data/Utf8.h"

#include <algorithm>
#include <utility>

using namespace axloom::runtime;

namespace {

struct Character {
  CodePoint code; // -1, which has no category, for a byte that is no UTF-8
  size_t length;
};

// What `text` begins with; of length 0 at its end.
Character firstOf(std::string_view text) {
  size_t length = utf8Length(text);
  if (length == 0)
    return {-1, text.empty() ? 0u : 1u};
  return {codePointOf(text.substr(0, length)), length};
}

// \p{L}, \p{N}, \s, and what is none of them.
enum class Kind { Letter, Number, Space, Other };

Kind kindOf(CodePoint c) {
  switch (utf8proc_category(c)) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return Kind::Letter;
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_NO:
    return Kind::Number;
  case UTF8PROC_CATEGORY_ZS:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return Kind::Space;
  default:
    return (c >= '\t' && c <= '\r') || c == 0x85 ? Kind::Space : Kind::Other;
  }
}

// The length of the characters of one kind, or of any other, that a text begins with; of `most` of
// them.
size_t runOf(std::string_view text, Kind kind, bool isKind = true, size_t most = size_t(-1)) {
  size_t end = 0;
  for (; most > 0 && end < text.size(); --most) {
    Character next = firstOf(text.substr(end));
    if ((kindOf(next.code) == kind) != isKind)
      break;
    end += next.length;
  }
  return end;
}

// The length of 's, 't, 're, 've, 'm, 'll or 'd at the start of a text; 0 if there is none.
size_t contraction(std::string_view text, bool anyCase) {
  auto fold = [&](CodePoint c) { // by way of its capital letter, which the long s shares with s
    return anyCase ? utf8proc_tolower(utf8proc_toupper(c)) : c;
  };
  auto lengthOf = [&](std::string_view ending) {
    size_t end = 0;
    for (char letter : ending) {
      Character next = firstOf(text.substr(end));
      if (fold(next.code) != letter)
        return size_t(0);
      end += next.length;
    }
    return end;
  };
  for (const char *ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (size_t length = lengthOf(ending))
      return length;
  return 0;
}

// \s+(?!\S)|\s+ at the start of a text: a word that follows keeps the last one.
size_t spaces(std::string_view text) {
  size_t end = runOf(text, Kind::Space);
  size_t last = end == text.size() ? end : characterStart(text, end - 1);
  return last > 0 ? last : end;
}

size_t gpt2Word(std::string_view text) {
  if (size_t length = contraction(text, /*anyCase=*/false))
    return length;
  size_t blank = text.starts_with(' ') ? 1 : 0;
  for (Kind kind : {Kind::Letter, Kind::Number, Kind::Other})
    if (size_t length = runOf(text.substr(blank), kind))
      return blank + length;
  return spaces(text);
}

size_t llamaWord(std::string_view text, size_t mostNumbers) {
  constexpr std::string_view lineEnds = "\r\n";
  if (size_t length = contraction(text, /*anyCase=*/true))
    return length;
  Character first = firstOf(text);
  Kind kind = kindOf(first.code);
  bool leads =
      kind != Kind::Letter && kind != Kind::Number && lineEnds.find(text.front()) == lineEnds.npos;
  size_t lead = leads ? first.length : 0;
  if (size_t length = runOf(text.substr(lead), Kind::Letter))
    return lead + length;
  if (size_t length = runOf(text, Kind::Number, true, mostNumbers))
    return length;
  size_t blank = text.starts_with(' ') ? 1 : 0;
  if (size_t length = runOf(text.substr(blank), Kind::Other)) {
    size_t end = text.find_first_not_of(lineEnds, blank + length);
    return std::min(end, text.size());
  }
  size_t lastLineEnd = text.substr(0, runOf(text, Kind::Space)).find_last_of(lineEnds);
  return lastLineEnd != text.npos ? lastLineEnd + 1 : spaces(text);
}

size_t lengthOfWord(WordPattern pattern, std::string_view text) {
  constexpr size_t any = size_t(-1);
  switch (pattern) {
  case WordPattern::Gpt2:
    return gpt2Word(text);
  case WordPattern::Llama3:
    return llamaWord(text, 3);
  case WordPattern::Qwen2:
    return llamaWord(text, 1);
  case WordPattern::Digit:
  case WordPattern::Digits: {
    size_t numbers = runOf(text, Kind::Number, true, pattern == WordPattern::Digit ? 1 : any);
    return numbers > 0 ? numbers : runOf(text, Kind::Number, false);
  }
  case WordPattern::Whole:
    break;
  }
  return text.size();
}

} // namespace

std::optional<WordPattern> axloom::runtime::wordPattern(std::string_view expression) {
  using Row = std::pair<WordPattern, std::string_view>;
  constexpr Row known[] = {
      {WordPattern::Gpt2,
       R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
      {WordPattern::Llama3, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3})"
                            R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
      {WordPattern::Qwen2, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})"
                           R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
  for (const auto &[pattern, text] : known)
    if (text == expression)
      return pattern;
  return std::nullopt;
}

std::string_view axloom::runtime::takeWord(WordPattern pattern, std::string_view &rest) {
  std::string_view word = rest.substr(0, lengthOfWord(pattern, rest));
  rest.remove_prefix(word.size());
  return word;
}
