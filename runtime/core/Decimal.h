// Numbers with a decimal point, whatever the program's locale says: for files that others read.
#pragma once

#include <charconv>
#include <string>

namespace axloom::runtime {

// As printf's %.<digits>f, or another format's, writes it in the C locale.
inline std::string decimal(double value, int digits,
                           std::chars_format format = std::chars_format::fixed) {
  char text[768]; // the largest number has 309 digits, the step between the smallest 324
  auto end = std::to_chars(text, text + sizeof(text), value, format, digits);
  return std::string(text, end.ptr);
}

} // namespace axloom::runtime
