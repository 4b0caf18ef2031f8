// Text that comes in pieces of bytes, as the tokens of a byte-level vocabulary are, goes out in
// whole characters of UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace example {

class WholeCharacters {
public:
  // The characters that these bytes complete. A byte that is part of none becomes U+FFFD.
  std::string add(std::string_view bytes);
  // What was begun and does not go on: U+FFFD for each byte.
  std::string finish();

private:
  std::string begun; // less than a character
};

} // namespace example
