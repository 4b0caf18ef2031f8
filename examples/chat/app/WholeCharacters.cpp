#include "examples/chat/app/WholeCharacters.h"

#include "runtime/data/Utf8.h"

#include <algorithm>
#include <array>

using axloom::runtime::utf8Length;

namespace example {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

// Whether a character begins with these bytes, which are none themselves. Of all continuations the
// smallest or the largest makes one, if any does.
bool isBeginning(std::string_view bytes) {
  constexpr std::array<std::string_view, 2> continuations = {"\x80\x80\x80", "\xbf\xbf\xbf"};
  return std::ranges::any_of(continuations, [&](std::string_view rest) {
    return utf8Length(std::string(bytes).append(rest)) > 0;
  });
}

} // namespace

std::string WholeCharacters::add(std::string_view bytes) {
  begun += bytes;
  std::string whole;
  std::string_view rest = begun;
  while (!rest.empty()) {
    size_t length = utf8Length(rest);
    if (length == 0 && isBeginning(rest))
      break;
    whole += length == 0 ? replacement : rest.substr(0, length);
    rest.remove_prefix(std::max<size_t>(length, 1));
  }
  begun.erase(0, begun.size() - rest.size());
  return whole;
}

std::string WholeCharacters::finish() {
  std::string replaced;
  for (size_t i = 0; i < begun.size(); ++i)
    replaced += replacement;
  begun.clear();
  return replaced;
}

} // namespace example
