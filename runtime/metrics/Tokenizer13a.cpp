// The tokenizer of mteval-v13a with sacrebleu's details, as replacements on bytes: all characters
// that the rules name are ASCII, and bytes of longer UTF-8 sequences count as "not a digit" just as
// the characters that they belong to.
#include "runtime/metrics/Bleu.h"

#include "runtime/data/Utf8.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

void replaceAll(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isStop(char c) { return c == '.' || c == ','; }

// Punctuation that always stands alone: the classes {-~ [-` space-& (-+ :-@ and /.
bool standsAlone(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

// Writes each pair of neighbours that `matches` accepts with `write`, from left to right; pairs do
// not overlap.
template <class Matches, class Write>
std::string rewritePairs(const std::string &text, Matches &&matches, Write &&write) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
      write(result, text[i], text[i + 1]);
      ++i;
    } else {
      result += text[i];
    }
  return result;
}

std::string spaceOut(const std::string &line) {
  std::string text;
  for (char c : line)
    if (standsAlone(c))
      text.append({' ', c, ' '});
    else
      text += c;
  // Period and comma, unless preceded by a digit.
  text = rewritePairs(
      text, [](char a, char b) { return !isDigit(a) && isStop(b); },
      [](std::string &out, char a, char b) { out.append({a, ' ', b, ' '}); });
  // Period and comma, unless followed by a digit.
  text = rewritePairs(
      text, [](char a, char b) { return isStop(a) && !isDigit(b); },
      [](std::string &out, char a, char b) { out.append({' ', a, ' ', b}); });
  // Dash, when preceded by a digit.
  return rewritePairs(
      text, [](char a, char b) { return isDigit(a) && b == '-'; },
      [](std::string &out, char a, char b) { out.append({a, ' ', b, ' '}); });
}

// Whether a UTF-8 sequence is one of Unicode's spaces.
bool isSpace(std::string_view sequence) {
  auto byte = [&](size_t i) { return uint8_t(sequence[i]); };
  switch (sequence.size()) {
  case 1:
    return (byte(0) >= 0x09 && byte(0) <= 0x0d) || (byte(0) >= 0x1c && byte(0) <= 0x20);
  case 2: // U+0085, U+00A0
    return byte(0) == 0xc2 && (byte(1) == 0x85 || byte(1) == 0xa0);
  case 3: {
    uint32_t code = uint32_t(byte(0) & 15) << 12 | uint32_t(byte(1) & 63) << 6 | (byte(2) & 63);
    return code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
           code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
  }
  default:
    return false;
  }
}

std::vector<std::string> splitAtSpaces(std::string_view text) {
  std::vector<std::string> tokens;
  bool open = false;
  while (!text.empty()) {
    size_t length = std::max<size_t>(1, utf8Length(text));
    std::string_view sequence = text.substr(0, length);
    text.remove_prefix(length);
    if (isSpace(sequence)) {
      open = false;
      continue;
    }
    if (!open)
      tokens.emplace_back();
    open = true;
    tokens.back() += sequence;
  }
  return tokens;
}

} // namespace

std::vector<std::string> axloom::runtime::tokenize13a(std::string_view segment) {
  std::string text(segment.substr(0, segment.find_last_not_of(" \t\r\n\v\f") + 1));
  replaceAll(text, "<skipped>", "");
  replaceAll(text, "-\n", "");
  replaceAll(text, "\n", " ");
  replaceAll(text, "&quot;", "\"");
  replaceAll(text, "&amp;", "&");
  replaceAll(text, "&lt;", "<");
  replaceAll(text, "&gt;", ">");
  return splitAtSpaces(spaceOut(" " + text + " "));
}
