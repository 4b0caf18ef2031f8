// Checks of text encoding.
#pragma once

#include <cstdint>
#include <string_view>

namespace axloom::runtime {

// The length of the well-formed UTF-8 sequence that `text` begins with; 0 if there is none.
inline size_t utf8Length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  auto follows = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  uint8_t first = byte(0);
  if (first < 0x80)
    return text.empty() ? 0 : 1;
  if (first >= 0xc2 && first < 0xe0)
    return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    bool overlong = first == 0xe0 && byte(1) < 0xa0;
    bool surrogate = first == 0xed && byte(1) >= 0xa0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    bool overlong = first == 0xf0 && byte(1) < 0x90;
    bool tooLarge = first == 0xf4 && byte(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !tooLarge ? 4 : 0;
  }
  return 0;
}

inline bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    size_t length = utf8Length(text);
    if (length == 0)
      return false;
    text.remove_prefix(length);
  }
  return true;
}

// The start of the character that byte `place` of UTF-8 belongs to.
inline size_t characterStart(std::string_view text, size_t place) {
  constexpr size_t longest = 4;
  size_t start = place;
  while (start > 0 && place - start < longest - 1 && (uint8_t(text[start]) & 0xc0) == 0x80)
    --start;
  return start;
}

} // namespace axloom::runtime
