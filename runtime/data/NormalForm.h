// Unicode's normal forms (Unicode Standard Annex 15).
#pragma once

#include <string>
#include <string_view>

namespace axloom::runtime {

// A text in normal form C: letters and the marks on them are one character where there is such a
// one. Bytes that are no UTF-8 stay as they are.
std::string composed(std::string_view text);

} // namespace axloom::runtime
