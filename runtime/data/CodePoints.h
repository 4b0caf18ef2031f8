// Characters of UTF-8 as code points, by way of utf8proc. For sources: other headers do without.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utf8proc.h>
#include <vector>

namespace axloom::runtime {

using CodePoint = utf8proc_int32_t;

// Of a sequence that utf8Length has measured.
inline CodePoint codePointOf(std::string_view sequence) {
  CodePoint c = 0;
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(sequence.data()),
                   utf8proc_ssize_t(sequence.size()), &c);
  return c;
}

inline std::string utf8Of(CodePoint c) {
  utf8proc_uint8_t bytes[4];
  return {reinterpret_cast<char *>(bytes), size_t(utf8proc_encode_char(c, bytes))};
}

// Adds the characters that one is made of, canonically.
inline void decompose(CodePoint c, std::vector<CodePoint> &parts) {
  std::array<CodePoint, 8> found{};
  int lastClass = 0;
  auto count =
      utf8proc_decompose_char(c, found.data(), found.size(), UTF8PROC_DECOMPOSE, &lastClass);
  parts.insert(parts.end(), found.begin(), found.begin() + std::max<utf8proc_ssize_t>(count, 0));
}

} // namespace axloom::runtime
